#include "analysis/device_presets.h"

#include "ir/tensor_meta.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace sunder;

class DevicePresetsTest final : public QObject {
    Q_OBJECT
private slots:
    void eachHasANameOfItsOwnAndASource()
    {
        std::set<std::string_view> names;
        for (const DevicePreset& preset : devicePresets()) {
            const std::string name(preset.name);
            QVERIFY2(names.insert(preset.name).second, name.c_str());
            QVERIFY2(!preset.source.empty() && !preset.vendor.empty(), name.c_str());
            QVERIFY2(preset.memoryBytes >= 1e9 && preset.memoryBytesPerSecond >= 1e11, name.c_str());
            QVERIFY2(preset.linkBytesPerSecond < preset.memoryBytesPerSecond, name.c_str());
            QCOMPARE(findDevicePreset(preset.name), &preset);
        }
        QCOMPARE(findDevicePreset("h100 sxm 80 gb"), findDevicePreset("H100 SXM 80 GB"));
        QVERIFY(findDevicePreset("H100") == nullptr);
    }

    void theNameSaysTheMemory()
    {
        for (const DevicePreset& preset : devicePresets()) {
            const bool isBinary = preset.name.find("GiB") != std::string_view::npos;
            const double size = preset.memoryBytes / (isBinary ? 1073741824.0 : 1e9);
            const std::string words = std::to_string(static_cast<int>(size)) + (isBinary ? " GiB" : " GB");
            QVERIFY2(preset.name.find(words) != std::string_view::npos, words.c_str());
        }
    }

    void theRateOf16BitFloatsIsTheirCompute()
    {
        for (const DevicePreset& preset : devicePresets()) {
            const Device device = devicesOf(preset, 1)->front();
            double halves = 0;
            for (const DeviceRate& rate : device.rates) {
                QVERIFY2(elementSize(rate.dtype), rate.dtype.c_str());
                if (elementSize(rate.dtype) == 2)
                    halves = std::max(halves, rate.flopsPerSecond);
            }
            QCOMPARE(halves, preset.flopsPerSecond);
        }
        const Device a100 = devicesOf(*findDevicePreset("A100 SXM 80 GB"), 1)->front();
        QCOMPARE(rateFor(a100, "float32")->flopsPerSecond, 19.5e12);
    }

    void severalAreNumberedBehindThoseThatThereAre()
    {
        const DevicePreset& preset = *findDevicePreset("L4 24 GB");
        const std::vector<Device> one = *devicesOf(preset, 1);
        QCOMPARE(one.front().name, std::string("L4"));
        QCOMPARE(one.front().availableBytes, 24e9);
        QCOMPARE(*one.front().flopsPerSecond, 121e12);
        const std::vector<Device> more = *devicesOf(preset, 2, one);
        QCOMPARE(more[0].name, std::string("L4 1"));
        QCOMPARE(more[1].name, std::string("L4 2"));
        QCOMPARE(more[1].logicalId, std::int64_t(2));
        QCOMPARE(devicesOf(*findDevicePreset("MI250X 64 GB (one of two dies)"), 1)->front().name, std::string("MI250X"));
        QVERIFY(!devicesOf(preset, 0));
        QVERIFY(!devicesOf(preset, 5000));
    }

    void whatAVendorDoesNotSayIsLeftOut()
    {
        const std::vector<Device> devices = *devicesOf(*findDevicePreset("Gaudi 3 128 GB"), 1);
        QVERIFY(!devices.front().flopsPerSecond);
        QCOMPARE(describe(*findDevicePreset("TPU v4 32 GB")), std::string("32 GB at 1.2 TB/s, 275 TFLOP/s"));
    }

    void computeIsReadAsPeopleWriteIt()
    {
        QCOMPARE(*parseFlops("312 TFLOP/s"), 312e12);
        QCOMPARE(*parseFlops("1.5e14"), 1.5e14);
        QCOMPARE(*parseFlops("2 PFLOPS"), 2e15);
        QCOMPARE(*parseFlops(prefixedText(312e12, "FLOP/s")), 312e12);
        for (const char* wrong : {"", "fast", "-1 T", "3 X", "3 TT", "nan", "inf", "1e400"})
            QVERIFY2(!parseFlops(wrong), wrong);
    }
};

const test::Registered<DevicePresetsTest> devicePresetsTest("device_presets_test");
#include "device_presets_test.moc"
