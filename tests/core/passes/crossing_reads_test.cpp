#include "passes/unflatten/frame_values.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::ModuleProgram;
using test::Outlining;

/// Implicit inputs of modules with a preserved signature.
class CrossingReadsTest final : public QObject {
    Q_OBJECT

private slots:
    void theBufferHoldsWhatWasWrittenToIt()
    {
        Outlining cut(test::twoModules());
        const NodeId mul = cut.copy(0, "mul");
        cut.goTo("neg");
        cut.open("c");
        cut.draft.frames[1].closed = true;
        cut.draft.frames[1].inputs.set(cut.node("mul"), mul);
        QCOMPARE(cut.values.of(1, cut.node("add_")), mul);
        QVERIFY(cut.crossings.contains(cut.node("add_")));
        QVERIFY(!cut.crossings.contains(cut.node("mul")));
    }

    void orItGetsAnAttributeOfItsOwn()
    {
        Outlining cut(test::twoModules(), {.crossing = CrossingValues::attribute});
        cut.goTo("neg");
        cut.open("c");
        cut.draft.frames[1].closed = true;
        QCOMPARE(cut.in(1, cut.values.of(1, cut.node("relu"))).target.str(), "__ival__relu");
        QVERIFY(cut.crossings.contains(cut.node("relu")));
        QCOMPARE(cut.draft.outline.intermediates.size(), std::size_t(1));
    }

    void onlyResultsOfFunctionsAreSuchValues()
    {
        ModuleProgram made;
        made.input("x");
        Program program = made.finish({});
        program.rootGraph().setInsertPoint(Graph::InsertPoint::before(program.rootGraph().output()));
        program.rootGraph().create({.op = Op::getAttr, .name = intern("held"), .target = intern("held")});
        Outlining cut(std::move(program));
        cut.open("c");
        cut.draft.frames[1].closed = true;
        QVERIFY(!cut.values.of(1, cut.node("held")));
        QCOMPARE(cut.error(), "module c with a preserved signature uses held, which is not one of its arguments");
    }

    void whereItIsMadeItIsWritten()
    {
        Outlining cut(test::twoModules(), {.crossing = CrossingValues::attribute});
        cut.goTo("view");
        cut.open("a");
        cut.copy(1, "relu");
        cut.open("a.c");
        cut.draft.frames[2].closed = true;
        cut.values.of(2, cut.node("relu"));
        cut.crossings.write();
        QCOMPARE(cut.nodesOf(1),
                 (std::vector<std::string>{"relu: torch.ops.aten.relu.default", "__ival__relu: __ival__relu",
                                           "copy__default: torch.ops.aten.copy_.default", "c: c"}));
    }
};

const test::Registered<CrossingReadsTest> crossingReadsTest("crossing_reads_test");
#include "crossing_reads_test.moc"
