#include "analysis/device_rows.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Devices as people paste them.
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
        const Result<std::vector<Device>> devices = parseDeviceRows(text.toStdString());
        QVERIFY2(devices, devices ? "" : devices.error().message.c_str());
        QCOMPARE(int(devices->size()), count);
        QCOMPARE(devices->front().name, std::string("cuda:0"));
        QCOMPARE(devices->front().availableBytes, 16e9);
        QCOMPARE(devices->back().logicalId, std::int64_t(count) - 1);
    }

    void readsSpeedAndBandwidth()
    {
        const auto devices = parseDeviceRows("npu\t512 MiB\t1.5\t900 GB/s\ncpu\t1 GB\t\t32 GiB/s");
        QVERIFY(devices);
        QCOMPARE(devices->front().speed, std::optional<double>(1.5));
        QCOMPARE(devices->front().bandwidthBytesPerSecond, std::optional<double>(900e9));
        QVERIFY(!devices->back().speed);
    }

    void writesWhatItReads()
    {
        const auto devices = parseDeviceRows("npu\t512 MiB\t1.5\t900 GB/s\ncpu\t64 GB\nhost\t1 GB\t\t32 GiB/s");
        QVERIFY(devices);
        const auto again = parseDeviceRows(deviceRowsText(*devices));
        QVERIFY(again);
        QCOMPARE(*again, *devices);
    }

    void namesRowAndCellOfWhatItCannotRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no memory") << QByteArray("cuda:0\t16 GB\ncuda:1\tmuch 3\n") << QByteArray("row 2, memory");
        QTest::newRow("one cell") << QByteArray("cuda:0") << QByteArray("row 1");
        QTest::newRow("speed") << QByteArray("a\t1 GB\tfast") << QByteArray("row 1, speed");
        QTest::newRow("bandwidth") << QByteArray("a\t1 GB\t1\twide") << QByteArray("row 1, bandwidth");
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
