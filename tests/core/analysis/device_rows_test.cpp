#include "analysis/device_rows.h"

#include "analysis/device_presets.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Device tables pasted as text.
class DeviceRowsTest final : public QObject {
    Q_OBJECT

private slots:
    void readsRows_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count");
        QTest::newRow("of a spreadsheet") << QByteArray("cuda:0\t16 GB\ncuda:1\t8 GB\n") << 2;
        QTest::newRow("with headings") << QByteArray("Device\tMemory\ncuda:0\t16 GB\n") << 1;
        QTest::newRow("of Windows") << QByteArray("cuda:0\t16 GB\r\n\r\ncuda:1\t8 GB\r\n") << 2;
        QTest::newRow("parted by commas") << QByteArray("cuda:0, 16 GB\ncpu, 64 GiB") << 2;
        QTest::newRow("parted by semicolons") << QByteArray("cuda:0;16 GB\ncpu;64 GiB") << 2;
        QTest::newRow("with quotes") << QByteArray("\"cuda:0\",\"16 GB\"") << 1;
    }

    void readsRows()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, count);
        const Result<DeviceRows> rows = parseDeviceRows(text.toStdString());
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        const std::vector<Device>* devices = &rows->devices;
        QVERIFY(!rows->isUnclear());
        QCOMPARE(int(devices->size()), count);
        QCOMPARE(devices->front().name, std::string("cuda:0"));
        QCOMPARE(devices->front().availableBytes, 16e9);
        QCOMPARE(devices->back().logicalId, std::int64_t(count) - 1);
    }

    void readsSpeedAndBandwidth()
    {
        const auto rows = parseDeviceRows("npu\t512 MiB\t1.5\t900 GB/s\ncpu\t1 GB\t\t32 GiB/s");
        QVERIFY(rows);
        const std::vector<Device>* devices = &rows->devices;
        QCOMPARE(devices->front().speed, std::optional<double>(1.5));
        QCOMPARE(devices->front().bandwidthBytesPerSecond, std::optional<double>(900e9));
        QVERIFY(!devices->back().speed);
    }

    void headingsSayWhichColumnIsWhatAndInWhichUnit_data()
    {
        QTest::addColumn<QByteArray>("headings");
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("in another order") << QByteArray("Bandwidth\tMemory\tName") << QByteArray("900 GB/s\t80 GB\tH100");
        QTest::newRow("units in brackets") << QByteArray("GPU,Memory (GB),Bandwidth (GB/s)") << QByteArray("H100,80,900");
        QTest::newRow("units behind") << QByteArray("GPU;VRAM in GB;Peer bandwidth [GB/s]") << QByteArray("H100;80;900/s");
        QTest::newRow("others between") << QByteArray("Accelerator\tYear\tMemory MB\tPrice\tInterconnect GB/s")
                                        << QByteArray("H100\t2022\t80,000\t1\t900");
        QTest::newRow("a cell's unit counts more")
            << QByteArray("GPU\tMemory (MB)\tLink (MB/s)") << QByteArray("H100\t80GB\t900GB/s");
        QTest::newRow("digits in headings") << QByteArray("Accelerator\tHBM3 (GB)\tNVLink 4 BW GB/s")
                                            << QByteArray("H100\t80\t900");
        QTest::newRow("short words") << QByteArray("Model\tRAM\tBW") << QByteArray("H100\t80GB\t900 GB/s");
        QTest::newRow("a unit alone") << QByteArray("Card\tGB\tGB/s") << QByteArray("H100\t80\t900");
        QTest::newRow("units in a row of their own")
            << QByteArray("GPU\tMemory\tBandwidth\n\tGB\tGB/s") << QByteArray("H100\t80\t900");
        QTest::newRow("the type of memory") << QByteArray("GPU\tMemory\tLink") << QByteArray("H100\t80 GB HBM3\t900 GB/s");
        QTest::newRow("commas as points") << QByteArray("GPU\tMemory (GB)\tLink (TB/s)") << QByteArray("H100\t80,0\t0,9");
        QTest::newRow("commas in quotes") << QByteArray("GPU,Notes,Memory (GB),Link (GB/s)")
                                          << QByteArray("H100,\"1,000 pieces, new\",80,900");
        QTest::newRow("figures that are none of these")
            << QByteArray("GPU\tClock speed (MHz)\tINT8 TOPS\tMemory (GB)\tPower (W)\tLink (GB/s)")
            << QByteArray("H100\t1830\t1979\t80\t700\t900");
        QTest::newRow("a name without a known heading")
            << QByteArray("What\tMemory\tBandwidth") << QByteArray("H100\t80 g\t900 g");
    }

    void headingsSayWhichColumnIsWhatAndInWhichUnit()
    {
        QFETCH(QByteArray, headings);
        QFETCH(QByteArray, row);
        const Result<DeviceRows> rows = parseDeviceRows((headings + "\n" + row).toStdString());
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        QVERIFY(!rows->isUnclear());
        QCOMPARE(rows->devices.size(), std::size_t{1});
        QCOMPARE(rows->devices[0].name, std::string("H100"));
        QCOMPARE(rows->devices[0].availableBytes, 80e9);
        QCOMPARE(rows->devices[0].bandwidthBytesPerSecond, std::optional<double>(900e9));
    }

    void headingsTellMemoryBandwidthFromLinksAndTakeCompute()
    {
        const auto rows = parseDeviceRows(
            "Model\tRAM\tMemory bandwidth\tFP8 TFLOPS\tFP16 TFLOPS\tLink\nH100\t80 GB\t3.35 TB/s\t1979\t989.4\t900 GB/s");
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        QVERIFY(!rows->isUnclear());
        QCOMPARE(rows->devices[0].memoryBytesPerSecond, std::optional<double>(3.35e12));
        QCOMPARE(rows->devices[0].bandwidthBytesPerSecond, std::optional<double>(900e9));
        QCOMPARE(rows->devices[0].flopsPerSecond, std::optional<double>(989.4e12));
        QCOMPARE(rows->passedOver, std::vector<std::string>{"FP8 TFLOPS"});
    }

    void aComputeWithoutAUnitIsToBeAskedAbout()
    {
        const std::string text = "GPU\tMemory (GB)\tBF16\nH100\t80\t989";
        const auto open = parseDeviceRows(text);
        QVERIFY(open && open->isUnclear());
        QCOMPARE(open->computeWithoutUnit, 989.0);
        const auto said = parseDeviceRows(text, {.compute = "TFLOP/s"});
        QVERIFY(said && !said->isUnclear());
        QCOMPARE(said->devices[0].flopsPerSecond, std::optional<double>(989e12));
    }

    void aCountMakesAsManyOfARow()
    {
        const auto rows = parseDeviceRows("GPU\tQty\tMemory\nH100\t2\t80 GB\nL4\t1\t24 GB");
        QVERIFY(rows);
        QCOMPARE(rows->devices.size(), std::size_t{3});
        QCOMPARE(rows->devices[1].name, std::string("H100 1"));
        QCOMPARE(rows->devices[2].name, std::string("L4"));
        QCOMPARE(rows->devices[2].logicalId, std::int64_t{2});
    }

    void figuresWithoutAUnitAreCountedUntilOneIsSaid()
    {
        const std::string text = "a\t80\t\t900\nb\t64 GiB\t2\t\nhost\t0\n";
        const Result<DeviceRows> open = parseDeviceRows(text);
        QVERIFY(open);
        QVERIFY(open->isUnclear());
        QCOMPARE(open->memoryWithoutUnit, 80.0); // zero is the same in any unit
        QCOMPARE(open->bandwidthWithoutUnit, 900.0);
        const Result<DeviceRows> half = parseDeviceRows(text, {.memory = "GiB"});
        QVERIFY(half && half->isUnclear());
        const Result<DeviceRows> said = parseDeviceRows(text, {.memory = "GiB", .bandwidth = "GB"});
        QVERIFY(said && !said->isUnclear());
        QCOMPARE(said->devices[0].availableBytes, 80.0 * 1024 * 1024 * 1024);
        QCOMPARE(said->devices[0].bandwidthBytesPerSecond, std::optional<double>(900e9));
        QCOMPARE(said->devices[1].availableBytes, 64.0 * 1024 * 1024 * 1024);
        QCOMPARE(said->devices[2].availableBytes, 0.0);
    }

    void proposesTheUnitOfUsualSizes()
    {
        QCOMPARE(likelyUnit(80), std::string_view("GB"));
        QCOMPARE(likelyUnit(81920), std::string_view("MB"));
        QCOMPARE(likelyUnit(85899345920.0), std::string_view("B"));
    }

    void writesWhatItReads()
    {
        const auto devices = parseDeviceRows("npu\t512 MiB\t1.5\t900 GB/s\ncpu\t64 GB\nhost\t1 GB\t\t32 GiB/s");
        QVERIFY(devices);
        const auto again = parseDeviceRows(deviceRowsText(devices->devices));
        QVERIFY(again);
        QVERIFY(!again->isUnclear());
        QCOMPARE(again->devices, devices->devices);
    }

    void writesWhatPresetsSay()
    {
        const auto devices = parseDeviceRows("GPU\tMemory\tMemory bandwidth\tTFLOPS\na\t80 GB\t3.35 TB/s\t989.4\nb\t1 GB\t\t\n");
        QVERIFY(devices);
        const auto again = parseDeviceRows(deviceRowsText(devices->devices));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->devices, devices->devices);
    }

    void writesRates()
    {
        const std::vector<Device> devices = *devicesOf(*findDevicePreset("A100 SXM 80 GB"), 2);
        const auto again = parseDeviceRows(deviceRowsText(devices));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        for (std::size_t i = 0; i < devices.size(); ++i)
            QCOMPARE(again->devices[i].rates, devices[i].rates);
        QCOMPARE(again->devices[0].flopsPerSecond, devices[0].flopsPerSecond);
        const auto wrong = parseDeviceRows("Device\tMemory\tRates\na\t1 GB\tfloat32 fast\n");
        QVERIFY(!wrong && wrong.error().message.starts_with("row 2, rates: "));
    }

    void namesRowAndCellOfWhatItCannotRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no memory") << QByteArray("cuda:0\t16 GB\ncuda:1\tmuch 3\n") << QByteArray("row 2, memory");
        QTest::newRow("one cell") << QByteArray("cuda:0") << QByteArray("row 1");
        QTest::newRow("speed") << QByteArray("a\t1 GB\tfast") << QByteArray("row 1, speed");
        QTest::newRow("bandwidth") << QByteArray("a\t1 GB\t1\twide") << QByteArray("row 1, bandwidth");
        QTest::newRow("headings without a memory") << QByteArray("Device\tPrice\na\t1 GB") << QByteArray("Memory (GB)");
        QTest::newRow("bits") << QByteArray("Device\tMemory\na\t80 Gbit") << QByteArray("row 2, memory");
        QTest::newRow("bits of a link") << QByteArray("GPU\tMemory\tLink (Gb/s)\na\t80 GB\t400") << QByteArray("is in bits");
        QTest::newRow("sums") << QByteArray("GPU\tMemory\na\t80 GB + 80 GB") << QByteArray("row 2, memory");
        QTest::newRow("no count") << QByteArray("GPU\tCount\tMemory\na\tmany 2\t80 GB") << QByteArray("row 2, count");
        QTest::newRow("nothing") << QByteArray("\n\n") << QByteArray("no device");
    }

    void namesRowAndCellOfWhatItCannotRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const auto devices = parseDeviceRows(text.toStdString());
        QVERIFY(!devices);
        QVERIFY2(devices.error().message.find(said.toStdString()) != std::string::npos, devices.error().message.c_str());
    }
};

const test::Registered<DeviceRowsTest> deviceRowsTest("device_rows_test");
#include "device_rows_test.moc"
