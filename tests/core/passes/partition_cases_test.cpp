#include "expected_split.h"
#include "io/side_files/devices_file.h"
#include "io/side_files/partitioner_files.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "test_case.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

QJsonObject jsonOf(const Program& program, const PartitionSet& set)
{
    QJsonObject owners;
    for (std::size_t p = 0; p < set.partitions.size(); ++p)
        for (const NodeId id : set.partitions[p].nodes) {
            const QString name = QString::fromStdString(program.rootGraph()[id].name.str());
            QJsonArray ids = owners[name].toArray();
            ids.append(static_cast<qint64>(p));
            owners[name] = ids;
        }
    return owners;
}

QJsonArray bytesOf(const PartitionSet& set)
{
    QJsonArray bytes;
    for (const Partition& partition : set.partitions)
        bytes.append(static_cast<qint64>(partition.usedBytes));
    return bytes;
}

QJsonArray namesOf(const std::vector<InternedString>& names)
{
    QJsonArray array;
    for (const InternedString name : names)
        array.append(QString::fromStdString(name.str()));
    return array;
}

/// Submodule, inputs, and outputs of each record; with `all`, also devices and bytes.
QJsonArray jsonOf(const std::vector<PartitionDagNode>& dag, bool all)
{
    QJsonArray records;
    for (const PartitionDagNode& node : dag) {
        QJsonObject record{{"submodule", QString::fromStdString(node.submodule.str())},
                           {"inputs", namesOf(node.inputs)},
                           {"outputs", namesOf(node.outputs)},
                           {"used_mem_bytes", static_cast<qint64>(node.usedBytes)}};
        QJsonArray devices;
        for (const std::int64_t id : node.devices)
            devices.append(static_cast<qint64>(id));
        if (all)
            record["devices"] = devices;
        records.append(record);
    }
    return records;
}

} // namespace

/// Runs every case of tests/cases/partition_*, and all shared conformance cases if present.
class PartitionCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void partitionsAsIn2020_data() { test::addCases("partition_2020"); }
    void partitionsAsIn2020()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(test::programFile(folder, "input.fxj"));
        const std::vector<Device> devices = *readDevicesFile((folder + "/devices.json").toStdString());
        const Result<PartitionResult> result = sizeBasedPartition(
            program, devices, {.exact = test::json(folder + "/options.json")["exact_2020"].toBool()});
        if (QFile::exists(folder + "/expected_error.json")) {
            QVERIFY(!result);
            test::checkRefusal(result.error());
            return;
        }
        QVERIFY2(result.has_value(), result ? "" : describe(result.error()).c_str());
        const QJsonObject expected = test::json(folder + "/expected_partitions.json");
        QCOMPARE(jsonOf(program, result->set), expected["node_to_partitions"].toObject());
        QCOMPARE(bytesOf(result->set), expected["used_mem_bytes"].toArray());
        QCOMPARE(jsonOf(result->dag, false), test::json(folder + "/expected_dag.json")["nodes"].toArray());
        test::checkSplit(folder, result->split);
    }

    void partitionsAsTorchDoesToday_data() { test::addCases("partition_today"); }
    void partitionsAsTorchDoesToday()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(test::programFile(folder, "input.fxj"));
        const PartitionerConfig config = *readPartitionerConfig((folder + "/config.json").toStdString());
        const Result<PartitionResult> result = acceleratorPartition(program, config, {.asUpstream = true});
        if (QFile::exists(folder + "/expected_error.json")) {
            QVERIFY(!result);
            test::checkRefusal(result.error());
            return;
        }
        QVERIFY2(result.has_value(), result ? "" : describe(result.error()).c_str());
        const QJsonObject expected = test::json(folder + "/result.json");
        QCOMPARE(jsonOf(program, result->set), expected["node_to_partitions"].toObject());
        if (expected.contains("latency"))
            QCOMPARE(*result->graphLatency, expected["latency"]["graph"].toDouble());
        QCOMPARE(jsonOf(result->dag, true), test::json(folder + "/expected_dag.json")["nodes"].toArray());
        test::checkSplit(folder, result->split);
    }
};

const test::Registered<PartitionCasesTest> partitionCasesTest("partition_cases_test");
#include "partition_cases_test.moc"
