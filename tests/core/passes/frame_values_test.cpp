#include "passes/unflatten/frame_values.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Values that are passed into a module.
class FrameValuesTest final : public QObject {
    Q_OBJECT

private slots:
    void aCopyIsItself()
    {
        Outlining cut(test::twoModules());
        const NodeId x = cut.copy(0, "x");
        QCOMPARE(cut.values.of(0, cut.node("x")), x);
    }

    void whatLiesOutsideIsPassedDownOnce()
    {
        Outlining cut(test::twoModules());
        const NodeId x = cut.copy(0, "x");
        cut.goTo("relu");
        cut.open("a");
        const NodeId inside = cut.values.of(1, cut.node("x"));
        QCOMPARE(cut.in(1, inside).op, Op::placeholder);
        QCOMPARE(cut.in(1, inside).name.str(), "x");
        QCOMPARE(cut.values.of(1, cut.node("x")), inside);
        QCOMPARE(cut.draft.frames[1].late, Arguments{Argument::node(x)});
    }

    void itPassesThroughAllModulesOnTheWay()
    {
        Outlining cut(test::twoModules());
        cut.copy(0, "x");
        cut.goTo("mul");
        cut.open("a");
        cut.open("a.b");
        const NodeId inside = cut.values.of(2, cut.node("x"));
        const NodeId between = cut.values.of(1, cut.node("x"));
        QCOMPARE(cut.in(1, between).op, Op::placeholder);
        QCOMPARE(cut.draft.frames[2].late, Arguments{Argument::node(between)});
        QVERIFY(inside.isValid());
    }

    void theRootRefusesWhatItDoesNotHave()
    {
        Outlining cut(test::twoModules());
        cut.goTo("neg");
        QVERIFY(!cut.values.of(0, cut.node("mul")));
        QCOMPARE(cut.error(), "mul is used after the call of the module that computes it, but the module does not return it");
    }

    void aClosedModuleComputesAgainWhatIsCheap()
    {
        Outlining cut(test::twoModules());
        cut.copy(0, "x");
        cut.copy(0, "relu");
        cut.goTo("mul");
        cut.open("a");
        cut.draft.frames[1].closed = true;
        cut.draft.frames[1].inputs.set(cut.node("relu"), cut.draft.create(1, {.op = Op::placeholder, .target = intern("r")}));
        const NodeId again = cut.values.of(1, cut.node("view"));
        QCOMPARE(cut.in(1, again).target.str(), "torch.ops.aten.view.default");
        QCOMPARE(cut.values.of(1, cut.node("view")), again);
    }

    void argumentsAreMappedAsAWhole()
    {
        Outlining cut(test::twoModules());
        const NodeId x = cut.copy(0, "x");
        const Arguments given{Argument::list({Argument::node(cut.node("x")), Argument::integer(3)})};
        QCOMPARE(cut.values.in(0, given), (Arguments{Argument::list({Argument::node(x), Argument::integer(3)})}));
    }
};

const test::Registered<FrameValuesTest> frameValuesTest("frame_values_test");
#include "frame_values_test.moc"
