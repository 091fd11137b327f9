#include "analysis/device.h"
#include "analysis/device_rows.h"
#include "io/side_files/devices_file.h"

#include "test_case.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
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
        const auto& compute = *std::ranges::find(deviceFigures(), "flops_per_s", &DeviceFigure::key);
        const Result<void> set = setFigure(device, compute, std::numeric_limits<double>::infinity());
        QVERIFY(!set);
        QCOMPARE(set.error().message, std::string("device \"npu\": the compute must be a number of at least 0"));
    }

    void readsEveryFigureBack()
    {
        Device device{.name = "npu"};
        for (const DeviceFigure& figure : deviceFigures())
            QVERIFY(setFigure(device, figure, valueOf(figure)));
        const auto devices = parseDevicesFile(devicesFileText({device}), "d.json");
        QVERIFY(devices);
        QCOMPARE(devices->front(), device);
        const auto rows = parseDeviceRows(deviceRowsText({device}));
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        for (const DeviceFigure& figure : deviceFigures())
            QCOMPARE(figureOf(rows->devices.front(), figure), std::optional<double>(valueOf(figure)));
    }

    void sharesAreAboveZeroAndAtMostOne()
    {
        for (const char* key : {"compute_efficiency", "memory_efficiency"})
            for (const char* wrong : {"0", "1.01", "-0.5", "null"}) {
                const std::string figure = "\"" + std::string(key) + "\":" + wrong;
                const auto devices = parseDevicesFile("[{\"available_mem_bytes\":1," + figure + "}]", "d.json");
                QVERIFY2(!devices, wrong);
                QCOMPARE(devices.error().where.member, "[0]." + std::string(key));
            }
    }

    void readsRatesBackAsItWroteThem()
    {
        const std::vector<Device> devices{
            {.name = "npu", .availableBytes = 1, .rates = {{"float32", 19.5e12}, {"bfloat16", 312e12}}}};
        const auto back = parseDevicesFile(devicesFileText(devices), "d.json");
        QVERIFY(back);
        QCOMPARE(*back, devices);
    }

    void readsLinksBackAsItWroteThem()
    {
        std::vector<Device> devices{{.name = "a", .availableBytes = 1, .logicalId = 4},
                                    {.name = "b", .availableBytes = 1, .logicalId = 1},
                                    {.name = "c", .availableBytes = 1, .logicalId = 2, .bandwidthBytesPerSecond = 1e9}};
        for (Device& device : devices)
            device.links = {{.bytesPerSecond = 5e10, .latencySeconds = 2e-6, .efficiency = 0.5}};
        const auto forAll = parseDevicesFile(devicesFileText(devices), "d.json");
        QVERIFY2(forAll, forAll ? "" : describe(forAll.error()).c_str());
        QCOMPARE(*forAll, devices);
        devices[0].links = {{.to = 1, .bytesPerSecond = 4e10}, {.to = 2, .latencySeconds = 0}};
        devices[1].links = {};
        devices[2].links = {{.to = 1, .efficiency = 0.25}};
        const auto listed = parseDevicesFile(devicesFileText(devices), "d.json");
        QVERIFY2(listed, listed ? "" : describe(listed.error()).c_str());
        QCOMPARE(*listed, devices);
    }

    void refusesLinksThatDoNotFit_data()
    {
        QTest::addColumn<QByteArray>("links");
        QTest::addColumn<QByteArray>("said");
        const QByteArray rest = R"(,"bandwidth_bytes_per_s":1})";
        QTest::newRow("no object") << QByteArray("3") << QByteArray("links");
        QTest::newRow("unknown key") << QByteArray(R"({"bandwith":1})") << QByteArray("links.bandwith");
        QTest::newRow("bandwidth of 0") << QByteArray(R"({"bandwidth_bytes_per_s":0})")
                                        << QByteArray("links.bandwidth_bytes_per_s");
        QTest::newRow("negative latency") << QByteArray(R"({"latency_s":-1})") << QByteArray("links.latency_s");
        QTest::newRow("efficiency above 1") << QByteArray(R"({"efficiency":2})") << QByteArray("links.efficiency");
        QTest::newRow("unknown device") << "[{\"from\":\"a\",\"to\":\"z\"" + rest + "]" << QByteArray("links[0].to");
        QTest::newRow("unknown id") << "[{\"from\":9,\"to\":\"a\"" + rest + "]" << QByteArray("links[0].from");
        QTest::newRow("no target") << "[{\"from\":\"a\"" + rest + "]" << QByteArray("links[0].to");
        QTest::newRow("name of two") << "[{\"from\":\"a\",\"to\":\"c\"" + rest + "]" << QByteArray("several devices");
        QTest::newRow("to itself") << "[{\"from\":\"a\",\"to\":0" + rest + "]" << QByteArray("to itself");
        QTest::newRow("a pair twice") << "[{\"from\":\"a\",\"to\":\"b\"" + rest + ",{\"from\":0,\"to\":1" + rest + "]"
                                      << QByteArray("second link from device \"a\" to device \"b\"");
        QTest::newRow("too few pairs") << "[{\"from\":\"a\",\"to\":\"b\"" + rest + "]"
                                       << QByteArray("lacks a link from device \"a\" to device \"c\"");
    }

    void refusesLinksThatDoNotFit()
    {
        QFETCH(QByteArray, links);
        QFETCH(QByteArray, said);
        const QByteArray devices = R"([{"name":"a","available_mem_bytes":1},{"name":"b","available_mem_bytes":1},)"
                                   R"({"name":"c","available_mem_bytes":1},{"name":"c","available_mem_bytes":1}])";
        const auto read = parseDevicesFile((R"({"devices":)" + devices + R"(,"links":)" + links + "}").toStdString(), "d.json");
        QVERIFY(!read);
        QVERIFY2(describe(read.error()).find(said.toStdString()) != std::string::npos, describe(read.error()).c_str());
    }

    void refusesRatesThatDoNotFit()
    {
        for (const auto& [rates, member] : {std::pair("7", "[0].rates"), std::pair(R"({"flaot32":1})", "[0].rates.flaot32"),
                                            std::pair(R"({"float32":0})", "[0].rates.float32"),
                                            std::pair(R"({"float32":1,"float32":2})", "[0].rates.float32")}) {
            const auto read = parseDevicesFile(R"([{"available_mem_bytes":1,"rates":)" + std::string(rates) + "}]", "d.json");
            QVERIFY2(!read, rates);
            QCOMPARE(read.error().where.member, std::string(member));
        }
    }

    void refusesASpeedThatIsNone()
    {
        const auto devices = parseDevicesFile(R"([{"name":"x","available_mem_bytes":1,"speed":"fast"}])", "d.json");
        QVERIFY(!devices);
        QVERIFY(describe(devices.error()).find("[0].speed") != std::string::npos);
    }

private:
    static double valueOf(const DeviceFigure& figure) { return figure.unit == FigureUnit::share ? 0.625 : 3.5e12; }
};

const test::Registered<DevicesFileTest> devicesFileTest("devices_file_test");
#include "devices_file_test.moc"
