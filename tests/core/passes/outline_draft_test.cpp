#include "passes/unflatten/outline_draft.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// The state shared by all steps that cut a flat graph.
class OutlineDraftTest final : public QObject {
    Q_OBJECT

private slots:
    void beginsWithTheRootOpen()
    {
        Outlining cut(test::twoModules());
        QCOMPARE(cut.draft.frames.size(), std::size_t(1));
        QCOMPARE(cut.draft.top(), std::size_t(0));
        QCOMPARE(cut.draft.frames[0].object, ModuleObjects::root());
        QVERIFY(!cut.draft.frames[0].closed);
        QVERIFY(cut.draft.graphOf(0).empty());
    }

    void knowsWhatIsCopiedAndWhatIsStillUsed()
    {
        Outlining cut(test::twoModules());
        cut.goTo("view");
        QVERIFY(cut.draft.isSeen(cut.node("relu")));
        QVERIFY(!cut.draft.isSeen(cut.node("view")));
        QVERIFY(!cut.draft.isStillUsed(cut.node("x")));
        QVERIFY(cut.draft.isStillUsed(cut.node("relu")));
    }

    void givesTorchsNames()
    {
        Outlining cut(test::twoModules());
        const NodeId first = cut.draft.create(0, {.op = Op::callFunction, .target = intern("_operator.getitem")});
        const NodeId second = cut.draft.create(0, {.op = Op::callFunction, .target = intern("_operator.getitem")});
        QCOMPARE(cut.in(0, first).name.str(), "getitem");
        QCOMPARE(cut.in(0, second).name.str(), "getitem_1");
    }

    void keepsTheFirstReasonToStop()
    {
        Outlining cut(test::twoModules());
        QVERIFY(!cut.draft.failed());
        cut.draft.stop("first", cut.node("relu"), "a");
        cut.draft.stop("second", cut.node("mul"));
        QVERIFY(cut.draft.failed());
        QCOMPARE(cut.error(), "first");
        QCOMPARE(cut.draft.error->where.node, "relu");
        QCOMPARE(cut.draft.error->where.other, "a");
    }

    void valuesStandInTheOrderOfTheirFirstNote()
    {
        Outlining cut(test::twoModules());
        const NodeId x = cut.copy(0, "x");
        cut.copy(0, "relu");
        cut.draft.noteValue(0, cut.node("x"), x, true);
        QCOMPARE(cut.draft.frames[0].order, (std::vector{cut.node("x"), cut.node("relu")}));
        QCOMPARE(cut.draft.frames[0].nodes.find(cut.node("x")), x);
        QCOMPARE(cut.draft.outline.pairs.size(), std::size_t(3));
        QVERIFY(!cut.draft.outline.pairs.front().created);
        QVERIFY(cut.draft.outline.pairs.back().created);
    }
};

const test::Registered<OutlineDraftTest> outlineDraftTest("outline_draft_test");
#include "outline_draft_test.moc"
