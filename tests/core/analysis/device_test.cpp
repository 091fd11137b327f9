#include "analysis/device.h"
#include "analysis/device_links.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>

using namespace sunder;

class DeviceTest final : public QObject {
    Q_OBJECT
private slots:
    void namesAndColorsDoNotCount()
    {
        std::vector<Device> other = m_devices;
        other[0].name = "fast";
        other[1].color = "#88ccee";
        QVERIFY(giveTheSame(m_devices, other));
        other[1].availableBytes = 300;
        QVERIFY(!giveTheSame(m_devices, other));
        QVERIFY(!giveTheSame(m_devices, {m_devices[0]}));
        QVERIFY(!giveTheSame(m_devices, {m_devices[1], m_devices[0]}));
    }

    void areCalledAsTheyAreNow()
    {
        const std::vector<Device> now{{.name = "renamed", .availableBytes = 200, .logicalId = 1, .color = "#ddaa33"}};
        const std::vector<Device> called = asCalledNow(m_devices, now);
        QCOMPARE(called[0].name, std::string("one"));
        QCOMPARE(called[1].name, std::string("renamed"));
        QCOMPARE(called[1].color, std::string("#ddaa33"));
    }

    void idsThatStandTwiceOrAreNegativeBecomeFreeOnes()
    {
        std::vector<Device> devices{{.logicalId = 2}, {.logicalId = 2}, {.logicalId = -1}, {.logicalId = 0}};
        makeIdsUnique(devices);
        std::vector<std::int64_t> ids;
        for (const Device& device : devices)
            ids.push_back(device.logicalId);
        QCOMPARE(ids, (std::vector<std::int64_t>{2, 1, 3, 0}));
    }

    void typesWithoutARateTakeTheClosestOne()
    {
        const auto rate = [](const Device& device, const char* dtype) { return rateFor(device, dtype)->flopsPerSecond; };
        const Device stated{.flopsPerSecond = 100, .rates = {{"float32", 10}, {"int8", 400}}};
        QCOMPARE(rate(stated, "float32"), 10.0);
        QCOMPARE(rate(stated, "bfloat16"), 100.0);
        QCOMPARE(rate(stated, "float64"), 5.0); // half of the widest one
        QCOMPARE(rate(stated, "float8_e4m3fn"), 400.0);
        QCOMPARE(rateFor(stated, "float64")->dtype, std::string("float32"));
        const Device halves{.flopsPerSecond = 100};
        QCOMPARE(rate(halves, "int8"), 100.0); // no faster than the next wider type
        QCOMPARE(rate(halves, "float32"), 50.0);
        QVERIFY(!rateFor(Device(), "float32"));
    }

    void linksOfAPair()
    {
        std::vector<Device> devices{
            {.logicalId = 0, .bandwidthBytesPerSecond = 100}, {.logicalId = 1, .bandwidthBytesPerSecond = 40}, {.logicalId = 2}};
        const DeviceLinks plain(devices);
        QCOMPARE(plain.between(0, 1)->bytesPerSecond, 40.0);
        QCOMPARE(plain.between(2, 0)->bytesPerSecond, 100.0);
        QCOMPARE(plain.between(0, 1)->seconds(64), 2.0); // 64 bytes at 80% of 40 bytes/s
        devices[0].links = {{.to = 1, .bytesPerSecond = 10, .latencySeconds = 0.5, .efficiency = 1}, {.latencySeconds = 3}};
        const DeviceLinks links(devices);
        QCOMPARE(links.between(0, 1)->seconds(10), 1.5);
        QCOMPARE(links.between(1, 0)->seconds(10), 1.5); // the reverse link
        QCOMPARE(links.between(0, 2)->latencySeconds, 3.0);
        QCOMPARE(links.between(0, 2)->bytesPerSecond, 100.0);
        QVERIFY(!DeviceLinks(std::vector<Device>(2)).between(0, 1));
    }

    void linksAreReadAsTheyAreWritten()
    {
        const DeviceLink link = parseLink(" 80%, 450 GB/s ,2 µs").value();
        QCOMPARE(link, (DeviceLink{.bytesPerSecond = 450e9, .latencySeconds = 2e-6, .efficiency = 0.8}));
        QCOMPARE(QString::fromStdString(linkText(link)), QString("450 GB/s, 2 µs, 80%"));
        QCOMPARE(parseLink(linkText(link)).value(), link);
        QCOMPARE(parseLink(" ").value(), DeviceLink());
        for (const char* wrong : {"450", "450 GB", "0 B/s", "2 µs, 3 µs", "120%", "0%", "-1 s", "fast"}) {
            const Result<DeviceLink> refused = parseLink(wrong);
            QVERIFY2(!refused && refused.error().message.starts_with('"'), wrong);
        }
    }

    void timesAreReadAsTheyAreWritten()
    {
        const DeviceFigure& launch = *std::ranges::find(deviceFigures(), "launch_seconds", &DeviceFigure::key);
        for (const auto& [text, seconds] : {std::pair("5 µs", 5e-6), std::pair("5us", 5e-6), std::pair("0.5 ms", 5e-4),
                                            std::pair("2e-6", 2e-6), std::pair("0", 0.0)}) {
            QCOMPARE(*parseFigure(launch, text), seconds);
            QCOMPARE(*parseFigure(launch, exactFigureText(launch, seconds)), seconds);
        }
        for (const char* wrong : {"", "-1", "5 h", "nan", "inf"})
            QVERIFY2(!parseFigure(launch, wrong), wrong);
    }

private:
    const std::vector<Device> m_devices{{.name = "one", .availableBytes = 100, .logicalId = 0},
                                        {.name = "two", .availableBytes = 200, .logicalId = 1}};
};

const test::Registered<DeviceTest> deviceTest("device_test");
#include "device_test.moc"
