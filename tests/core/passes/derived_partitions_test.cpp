#include "passes/split_module/partition_plan.h"
#include "passes/split_module/split_module.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;

namespace {

/// A block `a` that is called twice with a call in between, and a block `b` that contains a module.
const char* const kBlocks = "x = placeholder()\n"
                            "before = neg(x)\n"
                            "first = relu(before) : 2 @ a Block\n"
                            "glue = add(first, x)\n"
                            "inner = gelu(glue) : 2 @ b Block > b.c Act\n"
                            "outer = tanh(inner) : 2 @ b Block\n"
                            "again = relu(outer) : 2 @ a Block\n"
                            "output(again)\n";

/// "0 0 1": the partition of each call in graph order; "-" for none.
QString textOf(const Graph& graph, const PartitionAssignment& partitions)
{
    QStringList words;
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall())
            words << (partitions[id] == PartitionAssignment::kNone
                          ? QStringLiteral("-")
                          : QString::fromStdString(partitions.ids[partitions[id]].text.str()));
    return words.join(' ');
}

} // namespace

class DerivedPartitionsTest final : public QObject {
    Q_OBJECT
private slots:
    void modulesOfALevelArePartitionsInGraphOrder_data()
    {
        QTest::addColumn<uint>("level");
        QTest::addColumn<QString>("expected");
        QTest::newRow("those that the model calls") << 1U << "0 0 0 1 1 2";
        QTest::newRow("those within, too") << 2U << "0 0 0 1 2 3";
        QTest::newRow("deeper than the tree") << 9U << "0 0 0 1 2 3";
    }
    void modulesOfALevelArePartitionsInGraphOrder()
    {
        QFETCH(uint, level);
        QFETCH(QString, expected);
        const Program program = test::programFromText(kBlocks);
        QCOMPARE(textOf(program.rootGraph(), partitionsByModule(program, level)), expected);
    }

    void aModelWithoutModulesIsOnePartition()
    {
        const Program program = test::programFromText("x = placeholder()\na = relu(x)\nb = tanh(a)\noutput(b)\n");
        QCOMPARE(textOf(program.rootGraph(), partitionsByModule(program)), QStringLiteral("0 0"));
    }

    void partitionsByModuleCanBeCalledInTheirOrder()
    {
        const Program program = test::programFromText(kBlocks);
        const Result<SplitResult> split = splitModule(program, partitionsByModule(program), {.keepOriginalOrder = true});
        QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
        QCOMPARE(split->parts.size(), std::size_t(3));
        QCOMPARE(verifyResult(program, split->program, ProgressMonitor::none())->verdict, Verdict::same);
    }

    void aPartitionOfATagIsCalledLikeIt()
    {
        const Program program = test::programFromText("x = placeholder()\na = relu(x)\nb = tanh(a)\nc = neg(b)\noutput(c)\n");
        const TagPair pairs[] = {{intern("a"), intern("head")}, {intern("c"), intern("tail")}};
        const TagAssignment tags = assignTags(program.rootGraph(), {intern("head"), intern("tail")}, pairs);
        QCOMPARE(textOf(program.rootGraph(), partitionsOfTags(program.rootGraph(), tags)), QStringLiteral("head - tail"));
        const Result<SplitResult> refused = splitModule(program, partitionsOfTags(program.rootGraph(), tags));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("b has no partition") != std::string::npos, refused.error().message.c_str());
    }
};

const test::Registered<DerivedPartitionsTest> derivedPartitionsTest("derived_partitions_test");
#include "derived_partitions_test.moc"
