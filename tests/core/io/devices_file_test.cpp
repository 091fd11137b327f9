#include "io/side_files/partitioner_files.h"

#include "test_case.h"

#include <QTemporaryDir>
#include <QTest>

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

    void refusesASpeedThatIsNone()
    {
        const auto devices = parseDevicesFile(R"([{"name":"x","available_mem_bytes":1,"speed":"fast"}])", "d.json");
        QVERIFY(!devices);
        QVERIFY(describe(devices.error()).find("[0].speed") != std::string::npos);
    }
};

const test::Registered<DevicesFileTest> devicesFileTest("devices_file_test");
#include "devices_file_test.moc"
