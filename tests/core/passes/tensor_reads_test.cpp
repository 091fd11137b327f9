#include "passes/unflatten/frame_values.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Tensors that modules read themselves.
class TensorReadsTest final : public QObject {
    Q_OBJECT

private slots:
    void nothingIsReadWhereTensorsArePassed()
    {
        Outlining cut(test::twoModules());
        QVERIFY(!cut.tensors.isTensor(cut.node("p_a_b_weight")));
        QVERIFY(!cut.draft.outline.readsDirectly);
    }

    void placeholdersOfTensorsAreKnown()
    {
        Outlining cut(test::twoModules(), {}, true);
        QVERIFY(cut.tensors.isTensor(cut.node("p_a_b_weight")));
        QVERIFY(!cut.tensors.isTensor(cut.node("x")));
        QVERIFY(cut.draft.outline.readsDirectly);
    }

    void aModuleReadsWhatLiesBelowItByItsOwnName()
    {
        Outlining cut(test::twoModules(), {}, true);
        cut.goTo("mul");
        cut.open("a");
        const NodeId read = cut.tensors.read(1, cut.node("p_a_b_weight"));
        QCOMPARE(cut.in(1, read).op, Op::getAttr);
        QCOMPARE(cut.in(1, read).target.str(), "b.weight");
        QCOMPARE(cut.draft.outline.reads.size(), std::size_t(1));
        QCOMPARE(cut.draft.outline.reads.front().flat, cut.node("p_a_b_weight"));
        QCOMPARE(cut.values.of(1, cut.node("p_a_b_weight")), read);
    }

    void whatLiesElsewhereIsLeftToArguments()
    {
        Outlining cut(test::twoModules(), {}, true);
        cut.goTo("mul");
        cut.open("other");
        QVERIFY(!cut.tensors.read(1, cut.node("p_a_b_weight")));
        const NodeId passed = cut.values.of(1, cut.node("p_a_b_weight"));
        QCOMPARE(cut.in(1, passed).op, Op::placeholder);
    }

    void readsStandBehindInputs()
    {
        Outlining cut(test::twoModules(), {}, true);
        cut.copy(0, "x");
        cut.goTo("mul");
        cut.open("a");
        cut.tensors.read(1, cut.node("p_a_b_weight"));
        cut.values.of(1, cut.node("x"));
        QCOMPARE(cut.nodesOf(1), (std::vector<std::string>{"x: x", ": b.weight"}));
    }
};

const test::Registered<TensorReadsTest> tensorReadsTest("tensor_reads_test");
#include "tensor_reads_test.moc"
