#include "io/sympy/size_assumptions.h"
#include "ir/tensor_meta.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/apply_partition_set.h"
#include "passes/partition/size_based_partitioner.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <array>

using namespace sunder;

namespace {

/// A chain of four ops with shape f32[2, s0], except the last, which is f32[32]; s0 is 8.
Program rowWithSymbol()
{
    Program program = test::programFromText("x = placeholder()\n"
                                            "a = relu(x)\n"
                                            "b = gelu(a)\n"
                                            "c = tanh(b)\n"
                                            "d = sum(c)\n"
                                            "output(d)\n");
    const Argument symbol = Argument::symbolic({.expression = intern("s0"), .hint = std::int64_t{8}});
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph()[id];
        const Arguments shape = node.name.view() == "d" ? Arguments{Argument::integer(32)}
                                                        : Arguments{Argument::integer(2), symbol};
        if (node.op != Op::output)
            program.rootGraph().meta(id).val = Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = shape});
    }
    return program;
}

PartitionerConfig twoDevices(double bytes)
{
    return {.devices = {{.name = "a", .availableBytes = bytes, .logicalId = 0},
                        {.name = "b", .availableBytes = bytes, .logicalId = 1}}};
}

Program assuming(std::int64_t size)
{
    Program program = rowWithSymbol();
    if (!assumeSizes(program, std::array{AssumedSize(intern("s0"), size)}))
        qFatal("not assumed");
    return program;
}

} // namespace

/// Figures of a partition over devices, at sizes other than those it was computed for.
class PartitionAtSizesTest final : public QObject {
    Q_OBJECT
private slots:
    void theSameCutTakesThePartitionersAccount()
    {
        const Result<PartitionResult> made = acceleratorPartition(rowWithSymbol(), twoDevices(1e6));
        QVERIFY(made.has_value());
        PartitionSet set = made->set;
        std::vector<PartitionDagNode> dag = made->dag;
        const std::uint64_t before = set.partitions.at(0).usedBytes;
        const Program other = assuming(16);
        const Result<PartitionResult> again = acceleratorPartition(other, twoDevices(1e6));
        const PartitionAtSizes stands = takeFigures(other, again, set, dag);
        QVERIFY(stands.isSameCut && stands.why.empty());
        QCOMPARE(before, 4U * 64U + 128U);
        QCOMPARE(set.partitions[0].usedBytes, 4U * 128U + 128U);
        QCOMPARE(dag.at(0).usedBytes, 4U * 128U + 128U);
    }

    void anotherCutKeepsWhatIsWhereAndReckonsIt()
    {
        const Result<PartitionResult> made = acceleratorPartition(rowWithSymbol(), twoDevices(400));
        QVERIFY(made.has_value());
        const Program other = assuming(12);
        PartitionSet set = made->set;
        std::vector<PartitionDagNode> dag = made->dag;
        const Result<PartitionResult> again = acceleratorPartition(other, twoDevices(400));
        QVERIFY(again.has_value());
        QVERIFY(again->set.partitions.size() != set.partitions.size());
        const PartitionAtSizes stands = takeFigures(other, again, set, dag);
        QVERIFY(!stands.isSameCut && stands.why.empty());
        QVERIFY(set.partitionOf == made->set.partitionOf);
        QCOMPARE(set.partitions.size(), std::size_t(1));
        QCOMPARE(set.partitions[0].usedBytes, 4U * 96U + 128U);
        QCOMPARE(dag.at(0).usedBytes, 4U * 96U + 128U);
    }

    void whereNothingFitsAnyMoreItSaysWhy()
    {
        const std::vector<Device> devices = twoDevices(400).devices;
        const Result<PartitionResult> made = sizeBasedPartition(rowWithSymbol(), devices);
        QVERIFY(made.has_value());
        const Program other = assuming(4096);
        PartitionSet set = made->set;
        std::vector<PartitionDagNode> dag = made->dag;
        const PartitionAtSizes stands = takeFigures(other, sizeBasedPartition(other, devices), set, dag);
        QVERIFY(!stands.isSameCut);
        QVERIFY2(stands.why.find("in total; add devices or memory") != std::string::npos, stands.why.c_str());
        QCOMPARE(set.partitions[0].usedBytes, 4U * 2U * 4096U * 4U + 128U);
    }

    void backAtTheSizesOfTheCutItIsAsItWas()
    {
        const Result<PartitionResult> made = acceleratorPartition(rowWithSymbol(), twoDevices(300));
        QVERIFY(made.has_value());
        PartitionSet set = made->set;
        std::vector<PartitionDagNode> dag = made->dag;
        const Program other = assuming(10);
        (void)takeFigures(other, acceleratorPartition(other, twoDevices(300)), set, dag);
        const Program same = rowWithSymbol();
        QVERIFY(takeFigures(same, acceleratorPartition(same, twoDevices(300)), set, dag).isSameCut);
        for (std::size_t i = 0; i < set.partitions.size(); ++i)
            QCOMPARE(set.partitions[i].usedBytes, made->set.partitions[i].usedBytes);
    }
};

const test::Registered<PartitionAtSizesTest> partitionAtSizesTest("partition_at_sizes_test");
#include "partition_at_sizes_test.moc"
