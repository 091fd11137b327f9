#include "analysis/device.h"
#include "analysis/device_rows.h"
#include "io/side_files/partitioner_files.h"

#include "test_case.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace sunder;

/// Round trips of DEVICES.json.
class DevicesFileTest final : public QObject {
    Q_OBJECT

private slots:
    void readsDevicesBackAsItWroteThem()
    {
        const std::vector<Device> devices = {
            {.name = "cuda:0", .availableBytes = 16e9, .logicalId = 3, .speed = 1.5, .bandwidthBytesPerSecond = 9e11},
            {.name = "a \"name\"", .availableBytes = 0.5, .logicalId = 1, .color = "#88ccee"},
            {.name = "", .availableBytes = 0, .logicalId = 2, .extra = R"({"allowed_ops":["add"]})"}};
        const QTemporaryDir folder;
        const std::string path = folder.filePath("devices.json").toStdString();
        QVERIFY(writeDevicesFile(devices, path));
        const Result<std::vector<Device>> back = readDevicesFile(path);
        QVERIFY2(back, back ? "" : describe(back.error()).c_str());
        QCOMPARE(*back, devices);
    }

    void keepsWhatItDoesNotKnow()
    {
        const auto devices = parseDevicesFile(R"([{"name":"x","available_mem_bytes":125,"rack":7,"allowed_ops":["a"]}])", "d");
        QVERIFY(devices);
        QCOMPARE(devices->front().extra, std::string(R"({"rack":7,"allowed_ops":["a"]})"));
        QVERIFY(devicesFileText(*devices).find(R"("available_mem_bytes":125,"rack":7,"allowed_ops":["a"]})")
                != std::string::npos);
    }

    void refusesFiguresBelowZeroAndNamesThem()
    {
        for (const DeviceFigure& figure : deviceFigures()) {
            const std::string memory = figure.member == nullptr ? "" : R"("available_mem_bytes":1,)";
            const auto devices = parseDevicesFile("[{" + memory + "\"" + std::string(figure.key) + "\":-1}]", "d.json");
            QVERIFY(!devices);
            QCOMPARE(devices.error().where.member, "[0]." + std::string(figure.key));
        }
        Device device{.name = "npu"};
        const Result<void> set = setFigure(device, deviceFigures().back(), std::numeric_limits<double>::infinity());
        QVERIFY(!set);
        QCOMPARE(set.error().message, std::string("device \"npu\": the compute must be a number of at least 0"));
    }

    void readsEveryFigureBack()
    {
        Device device{.name = "npu"};
        for (const DeviceFigure& figure : deviceFigures())
            QVERIFY(setFigure(device, figure, 3.5e12));
        const auto devices = parseDevicesFile(devicesFileText({device}), "d.json");
        QVERIFY(devices);
        QCOMPARE(devices->front(), device);
        const auto rows = parseDeviceRows(deviceRowsText({device}));
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        for (const DeviceFigure& figure : deviceFigures())
            QCOMPARE(figureOf(rows->devices.front(), figure), std::optional<double>(3.5e12));
    }

    void refusesASpeedThatIsNone()
    {
        const auto devices = parseDevicesFile(R"([{"name":"x","available_mem_bytes":1,"speed":"fast"}])", "d.json");
        QVERIFY(!devices);
        QVERIFY(describe(devices.error()).find("[0].speed") != std::string::npos);
    }
};

const test::Registered<DevicesFileTest> devicesFileTest("devices_file_test");
#include "devices_file_test.moc"
