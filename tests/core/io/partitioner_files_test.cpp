#include "io/side_files/devices_file.h"
#include "io/side_files/partitioner_files.h"

#include "test_case.h"

#include <QFile>
#include <QTest>

using namespace sunder;

class PartitionerFilesTest final : public QObject {
    Q_OBJECT
private slots:
    void readsDevices()
    {
        const std::vector<Device> devices = *parseDevicesFile(
            R"([{"name":"a","available_mem_bytes":125.5,"speed":2},{"name":"b","available_mem_bytes":7,"logical_id":9}])",
            "d.json");
        QCOMPARE(devices.size(), std::size_t{2});
        QCOMPARE(devices[0].availableBytes, 125.5);
        QCOMPARE(devices[0].logicalId, std::int64_t{0});
        QCOMPARE(devices[1].logicalId, std::int64_t{9});
    }

    void keepsTheOrderOfAConfiguration()
    {
        const PartitionerConfig config = *parsePartitionerConfig(
            R"({"mode":"aot_based","devices":[{"name":"a","available_mem_bytes":1}],"saturate_host":true,
                "node_to_partition":{"z":2,"a":0},"partition_to_logical_devices":{"2":[0],"0":[0,0]},
                "node_to_latency":{"z":[1,2.5]},"transfer_rate_bytes_per_sec":3,"note":"kept out"})",
            "c.json");
        QCOMPARE(config.mode, PartitionMode::aotBased);
        QVERIFY(config.saturateHost);
        QCOMPARE(config.nodeToPartition[0].first.str(), std::string("z"));
        QCOMPARE(config.partitionToDevices[1].second.size(), std::size_t{2});
        QCOMPARE(config.latencies[0].second.compute, 2.5);
        QCOMPARE(config.transferBytesPerSecond, 3.0);
    }

    void everyDeclaredKeyIsReadWrittenAndDocumented()
    {
        PartitionerConfig config{.mode = PartitionMode::klBased,
                                 .saturateHost = true,
                                 .devices = {{"a", 1, 0}},
                                 .transferBytesPerSecond = 2.5,
                                 .latencies = {{intern("z"), {1, 0.5}}, {intern("a"), {0, 3}}},
                                 .nodeToPartition = {{intern("z"), 2}},
                                 .partitionToDevices = {{2, {0, 1}}, {0, {}}}};
        const std::string text = partitionerConfigText(config);
        QCOMPARE(QString::fromStdString(text),
                 QString(R"({"mode":"kl_based","saturate_host":true,"transfer_rate_bytes_per_sec":2.5,
"devices":[
{"name":"a","available_mem_bytes":1}
],
"node_to_latency":{
"z":[1,0.5],
"a":[0,3]},
"node_to_partition":{
"z":2},
"partition_to_logical_devices":{
"2":[0,1],
"0":[]}}
)"));
        QCOMPARE(partitionerConfigText(*parsePartitionerConfig(text, "c.json")), text);

        QFile page(SUNDER_SOURCE "/docs/command-line.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        QString table;
        for (const PartitionerKey& key : partitionerKeys()) {
            QVERIFY2(text.find('"' + std::string(key.key) + "\":") != std::string::npos, key.key);
            table += QString("| %1 | %2 |\n").arg(key.key, key.help);
        }
        QVERIFY2(QString::fromUtf8(page.readAll()).remove(u'`').contains(table),
                 qPrintable("docs/command-line.md needs this table:\n" + table));
        QCOMPARE(QString(partitionerKeys().front().help).remove(QStringLiteral(" (default)")),
                 QString("Strategy: " + QString::fromStdString(partitionModeNames())));
        QVERIFY(std::string_view(partitionerKeys().front().help).find("size_based (default)") != std::string_view::npos);
    }

    void unknownKeysAreAnsweredWithTheKnownOnes()
    {
        const std::string message = parsePartitionerConfig(R"({"rate":1,"devices":[]})", "c.json").error().message;
        for (const PartitionerKey& key : partitionerKeys())
            QVERIFY2(message.find(key.key) != std::string::npos, message.c_str());
        QVERIFY(parsePartitionerConfig(R"({"mode":"fast","devices":[]})", "c.json").error().message.find(partitionModeNames())
                != std::string::npos);
    }

    void namesWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("member");
        QTest::newRow("no memory") << R"({"devices":[{"name":"a"}]})" << "devices[0].available_mem_bytes";
        QTest::newRow("memory as text") << R"({"devices":[{"available_mem_bytes":"9"}]})" << "devices[0].available_mem_bytes";
        QTest::newRow("an id twice") << R"({"devices":[{"available_mem_bytes":9},{"available_mem_bytes":9,"logical_id":0}]})"
                                     << "devices[1]";
        QTest::newRow("an unknown mode") << R"({"mode":"fast","devices":[]})" << "mode";
        QTest::newRow("no devices") << R"({"mode":"size_based"})" << "devices";
        QTest::newRow("a key twice") << R"({"devices":[],"devices":[]})" << "devices";
        QTest::newRow("one latency") << R"({"devices":[],"node_to_latency":{"a":[1]}})" << "node_to_latency.a";
        QTest::newRow("a partition in words") << R"({"devices":[],"node_to_partition":{"a":"one"}})" << "node_to_partition.a";
        QTest::newRow("a key that is no number")
            << R"({"devices":[],"partition_to_logical_devices":{"x":[]}})" << "partition_to_logical_devices.x";
        QTest::newRow("a list") << "[]" << "";
    }

    void namesWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, member);
        const Result<PartitionerConfig> config = parsePartitionerConfig(text.toStdString(), "c.json");
        QVERIFY(!config);
        QCOMPARE(config.error().code, ErrorCode::malformed);
        QCOMPARE(QString::fromStdString(config.error().where.member), member);
        QCOMPARE(config.error().where.file, "c.json");
    }
};

const test::Registered<PartitionerFilesTest> partitionerFilesTest("partitioner_files_test");
#include "partitioner_files_test.moc"
