#include "passes/unflatten/frame_values.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Implicit inputs of modules with a preserved signature.
class CrossingReadsTest final : public QObject {
    Q_OBJECT

private slots:
    void theBufferHoldsWhatWasWrittenToIt()
    {
        Outlining cut(test::twoModules());
        cut.goTo("neg");
        cut.open("c");
        const CrossingReads::Source source = cut.crossings.read(1, cut.node("add_"), false);
        QVERIFY(!source.node);
        QCOMPARE(source.holder, cut.node("mul"));
        QVERIFY(cut.crossings.contains(cut.node("add_")));
        QVERIFY(!cut.crossings.contains(cut.node("mul")));
        QCOMPARE(cut.draft.outline.crossings.size(), std::size_t(1));
        QCOMPARE(cut.draft.outline.crossings.front().reader.str(), "c");
        QVERIFY(!cut.draft.outline.crossings.front().isStep);
    }

    void orItGetsAnAttributeOfItsOwn()
    {
        Outlining cut(test::twoModules(), {.crossing = CrossingValues::attribute});
        cut.goTo("neg");
        cut.open("c");
        const CrossingReads::Source source = cut.crossings.read(1, cut.node("relu"), false);
        QVERIFY(!source.holder);
        QCOMPARE(cut.in(1, source.node).target.str(), "__ival__relu");
        QCOMPARE(cut.draft.outline.intermediates.size(), std::size_t(1));
    }

    void anInputIsNoSuchValue()
    {
        Outlining cut(test::twoModules());
        cut.goTo("neg");
        cut.open("c");
        const CrossingReads::Source source = cut.crossings.read(1, cut.node("x"), false);
        QVERIFY(!source.node && !source.holder);
        QCOMPARE(cut.error(), "module c with a preserved signature uses x, which is not one of its arguments");
    }

    void whereItIsMadeItIsWritten()
    {
        Outlining cut(test::twoModules(), {.crossing = CrossingValues::attribute});
        cut.goTo("view");
        cut.open("a");
        cut.copy(1, "relu");
        cut.open("a.c");
        cut.crossings.read(2, cut.node("relu"), false);
        cut.crossings.write();
        QCOMPARE(cut.nodesOf(1),
                 (std::vector<std::string>{"relu: torch.ops.aten.relu.default", "__ival__relu: __ival__relu",
                                           "copy__default: torch.ops.aten.copy_.default", "c: c"}));
    }
};

const test::Registered<CrossingReadsTest> crossingReadsTest("crossing_reads_test");
#include "crossing_reads_test.moc"
