#include "held_bytes.h"
#include "passes/partition/size_based_partitioner.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

std::vector<Device> devices(int count, double bytes)
{
    std::vector<Device> made;
    for (int i = 0; i < count; ++i)
        made.push_back({.name = "npu" + std::to_string(i), .availableBytes = bytes, .logicalId = i});
    return made;
}

/// "a b | c": the node names of each partition.
QString textOf(const Program& program, const PartitionSet& set)
{
    std::string text;
    for (const Partition& partition : set.partitions) {
        text += text.empty() ? "" : "| ";
        for (const NodeId id : partition.nodes)
            text += program.rootGraph()[id].name.str() + " ";
    }
    return QString::fromStdString(text);
}

std::string usedOf(const PartitionSet& set)
{
    std::string text;
    for (const Partition& partition : set.partitions)
        text += std::to_string(partition.usedBytes) + " ";
    return text;
}

void setSize(Program& program, const char* name, std::uint64_t output, std::uint64_t total)
{
    Graph& graph = program.rootGraph();
    graph.setSizeBytes(graph.find(intern(name)), SizeBytes{.output = output, .total = total});
}

/// Every value has 16 B; linear has another 80 B of weights.
Program diamond()
{
    Program program = test::programFromText("a = placeholder() : 1x4\n"
                                            "b = placeholder() : 1x4\n"
                                            "add = add(a, b) : 1x4\n"
                                            "linear = call_module[linear](add) : 1x4\n"
                                            "relu = relu(add) : 1x4\n"
                                            "add_1 = add(linear, relu) : 1x4\n"
                                            "output(add_1)\n");
    for (const auto& [name, rows] : {std::pair("linear.weight", 4), std::pair("linear.bias", 1)})
        program.tensors.add({.fqn = intern(name),
                             .meta = {.dtype = intern("float32"), .shape = {Argument::integer(rows), Argument::integer(4)}}});
    return program;
}

std::uint64_t mostHeld(const Program& program, const PartitionSet& set)
{
    const NodeSizes sizes = *nodeSizes(program);
    std::uint64_t most = 0;
    for (const Partition& partition : set.partitions)
        most = std::max(most, test::heldBytes(program, sizes, partition.nodes));
    return most;
}

} // namespace

class SizeBasedPartitionerTest final : public QObject {
    Q_OBJECT
private slots:
    void fillsDevicesInGraphOrder()
    {
        const Program program = diamond();
        const PartitionResult result = *sizeBasedPartition(program, devices(3, 125));
        QCOMPARE(textOf(program, result.set), QString("a b add | linear | relu add_1 "));
        QCOMPARE(usedOf(result.set), "48 112 64 ");
        QCOMPARE(result.set.partitions[1].devices, std::vector<std::int64_t>{1});
        QCOMPARE(result.set.partitions[2].parents, (std::vector<std::uint32_t>{0, 1}));
        QCOMPARE(result.split.parts.size(), std::size_t{3});
    }

    void joinsSmallPartitionsThatLieNear()
    {
        Program program = test::programFromText("x = placeholder() : 1x4\n"
                                                "first = relu(x) : 1x4\n"
                                                "big = relu(first)\n"
                                                "last = relu(x) : 1x4\n"
                                                "output(big, last)\n");
        Graph& graph = program.rootGraph();
        graph.meta(graph.find(intern("big"))).val = Argument::tensor(
            std::make_shared<const TensorMeta>(TensorMeta{.dtype = intern("uint8"), .shape = {Argument::integer(100)}}));
        const PartitionResult result = *sizeBasedPartition(program, devices(2, 120));
        QCOMPARE(textOf(program, result.set), QString("x first last | big "));
        QCOMPARE(usedOf(result.set), "64 116 ");
    }

    void takesOneDeviceWhereOneIsEnough()
    {
        const Program program = diamond();
        const PartitionResult result = *sizeBasedPartition(program, devices(2, 176));
        QCOMPARE(usedOf(result.set), "176 ");
        QCOMPARE(result.dag.size(), std::size_t{1});
    }

    /// The input of `last` was in the full partition; the original forgets to charge it to the new one.
    void reckonsNeedAnewForAnOpenedPartition()
    {
        Program program = test::programFromText("x = placeholder()\n"
                                                "first = neg(x)\n"
                                                "last = neg(first)\n"
                                                "output(last)\n");
        setSize(program, "x", 10, 10);
        setSize(program, "first", 40, 40);
        setSize(program, "last", 30, 30);
        const PartitionResult exact = *sizeBasedPartition(program, devices(2, 60), {.exact = true});
        QCOMPARE(usedOf(exact.set), "50 30 ");
        QCOMPARE(mostHeld(program, exact.set), std::uint64_t{70});
        const Result<PartitionResult> corrected = sizeBasedPartition(program, devices(2, 60));
        QVERIFY(!corrected);
        QCOMPARE(corrected.error().message,
                 "last needs 70 B (30 B of its own, the rest for its inputs), but a device "
                 "has only 60 B; use devices of at least 70 B");
        QCOMPARE(mostHeld(program, sizeBasedPartition(program, devices(2, 70))->set), std::uint64_t{70});
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("memories");
        QTest::addColumn<QString>("message");
        const QString line = "x = placeholder() : 1x4\ny = relu(x) : 1x4\nz = relu(y) : 1x8\noutput(z)\n";
        QTest::newRow("no devices") << line << "" << "no devices to partition over; specify at least one";
        QTest::newRow("no calls") << "x = placeholder() : 1x4\noutput(x)\n"
                                  << "9" << "nothing to partition: the graph has no ops";
        QTest::newRow("too little memory")
            << line << "20 20"
            << "the model needs 64 B by PyTorch's count (weights 0 B, activations 48 B that are never freed, inputs 16 B), but "
               "2 devices of 20 B have only 40 B in total; add devices or memory";
        QTest::newRow("unequal memory") << line << "50 40" << "device \"npu1\" has 40 B, but the first has 50 B";
        QTest::newRow("a node too large")
            << line << "40 40"
            << "z needs 48 B (32 B of its own, the rest for its inputs), but a device has only 40 B";
        QTest::newRow("too few devices")
            << "x = placeholder() : 1x4\na = f(x) : 1x4\nb = f(a) : 1x4\nc = f(b) : 1x4\nd = f(c) : 1x4\noutput(d)\n"
            << "40 40"
            << "the model needs 4 partitions of at most 40 B, but there are only 2 devices";
        QTest::newRow("no size") << "x = placeholder() : 1x4\nlost = relu(x)\noutput(lost)\n"
                                 << "99"
                                 << "the size of lost is unknown";
    }

    void saysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, memories);
        QFETCH(QString, message);
        std::vector<Device> named;
        for (const QString& bytes : memories.split(' ', Qt::SkipEmptyParts))
            named.push_back({.name = "npu" + std::to_string(named.size()), .availableBytes = bytes.toDouble(), .logicalId = 0});
        const Result<PartitionResult> result = sizeBasedPartition(test::programFromText(text.toStdString()), named);
        QVERIFY(!result);
        QVERIFY2(QString::fromStdString(result.error().message).contains(message), result.error().message.c_str());
    }

    void takesSizesOfTheFileAsTheyStand()
    {
        Program program = diamond();
        for (const char* name : {"a", "b", "add", "relu", "add_1"})
            setSize(program, name, 1, 1);
        const Result<PartitionResult> partly = sizeBasedPartition(program, devices(2, 125));
        QVERIFY(!partly);
        QCOMPARE(partly.error().where.node, "linear");
        setSize(program, "linear", 1, 7);
        QCOMPARE(usedOf(sizeBasedPartition(program, devices(1, 125))->set), "12 ");
    }

    void takesACallThatGivesNothingAsNothing()
    {
        const Program program = test::programFromText("x = placeholder() : 1x4\ncheck(x)\ny = relu(x) : 1x4\noutput(y)\n");
        QCOMPARE(usedOf(sizeBasedPartition(program, devices(1, 1000))->set), "32 ");
    }

    void countsSymbolicSizesByTheirHints()
    {
        Program program = test::programFromText("x = placeholder() : 1x4\ny = relu(x)\noutput(y)\n");
        const Argument rows = Argument::symbolic({.expression = intern("s0"), .hint = std::int64_t{5}});
        Graph& graph = program.rootGraph();
        graph.meta(graph.find(intern("y"))).val = Argument::tensor(
            std::make_shared<const TensorMeta>(TensorMeta{.dtype = intern("float16"), .shape = {rows, Argument::integer(3)}}));
        QCOMPARE(usedOf(sizeBasedPartition(program, devices(1, 1000))->set), "46 ");
    }

    /// Two names of one storage with two readers count 64 B, not 256 B. Each partition that reads the storage holds it.
    void countsAStorageOncePerPartition()
    {
        Program program = test::programFromText("x = placeholder() : 1x4\n"
                                                "p_a = placeholder() : 4x4\n"
                                                "p_b = placeholder() : 4x4\n"
                                                "m = mm(x, p_a) : 1x4\n"
                                                "n = mm(m, p_b) : 1x4\n"
                                                "o = mm(n, p_a) : 1x4\n"
                                                "output(o)\n");
        const StorageId storage = program.tensors.addStorage({.id = intern("s0"), .byteCount = 64});
        program.signature.emplace();
        for (const char* name : {"a", "b"}) {
            program.tensors.add({.fqn = intern(name),
                                 .meta = {.dtype = intern("float32"),
                                          .shape = {Argument::integer(4), Argument::integer(4)},
                                          .storage = intern("s0")},
                                 .storage = storage});
            program.signature->inputs.push_back(
                {.kind = InputKind::parameter, .target = intern(name), .name = intern(std::string("p_") + name)});
        }
        QCOMPARE(usedOf(sizeBasedPartition(program, devices(1, 128))->set), "128 ");
        QVERIFY(!sizeBasedPartition(program, devices(1, 127)));
        const PartitionResult cut = *sizeBasedPartition(program, devices(3, 112));
        QCOMPARE(textOf(program, cut.set), QString("x p_a p_b m n | p_a o "));
        QCOMPARE(usedOf(cut.set), "112 96 ");
    }

    void refusesSizesWhoseSumWouldOverflow()
    {
        Program program = diamond();
        for (const char* name : {"a", "b", "add", "linear", "relu", "add_1"})
            setSize(program, name, 1ULL << 62U, 1ULL << 62U);
        QVERIFY(!sizeBasedPartition(program, devices(2, 1e30)));
    }
};

const test::Registered<SizeBasedPartitionerTest> sizeBasedPartitionerTest("size_based_partitioner_test");
#include "size_based_partitioner_test.moc"
