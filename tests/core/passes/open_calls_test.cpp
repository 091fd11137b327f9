#include "passes/unflatten/open_calls.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Module calls from entry to result.
class OpenCallsTest final : public QObject {
    Q_OBJECT

private slots:
    void aCallIsANodeAboveAndAFrame()
    {
        Outlining cut(test::twoModules());
        cut.open("a");
        cut.open("a.b");
        QCOMPARE(cut.nodesOf(0), std::vector<std::string>{"a: a"});
        QCOMPARE(cut.nodesOf(1), std::vector<std::string>{"b: b"});
        QCOMPARE(cut.draft.frames.size(), std::size_t(3));
        QCOMPARE(cut.draft.frames[2].path.str(), "a.b");
    }

    void aModuleLiesBelowItsCaller()
    {
        Outlining cut(test::twoModules());
        cut.open("a");
        cut.open("c");
        QCOMPARE(cut.error(), "module c is not inside a, its caller according to nn_module_stack");
    }

    void oneValueIsGivenBare()
    {
        Outlining cut(test::twoModules());
        cut.goTo("relu");
        cut.open("a");
        const NodeId relu = cut.copy(1, "relu");
        cut.goTo("neg");
        cut.calls.close();
        QCOMPARE(cut.draft.frames.size(), std::size_t(1));
        QCOMPARE(cut.values.of(0, cut.node("relu")), cut.draft.outline.calls[0].node);
        const Graph& graph = cut.draft.outline.objects.graphOf(cut.draft.outline.calls[0].object);
        QCOMPARE(graph.node(graph.last()).args, Arguments{Argument::node(relu)});
    }

    void severalAreGivenAsAList()
    {
        Outlining cut(test::twoModules());
        cut.goTo("relu");
        cut.open("a");
        cut.copy(1, "relu");
        cut.copy(1, "add_");
        cut.goTo("neg");
        cut.calls.close();
        QCOMPARE(cut.nodesOf(0),
                 (std::vector<std::string>{"a: a", "getitem: _operator.getitem", "getitem_1: _operator.getitem"}));
    }

    void whatNobodyUsesStaysInside()
    {
        Outlining cut(test::twoModules());
        cut.goTo("relu");
        cut.open("a");
        cut.copy(1, "view");
        cut.goTo("neg");
        cut.calls.close();
        QCOMPARE(cut.nodesOf(0), std::vector<std::string>{"a: a"});
        QVERIFY(!cut.draft.frames[0].nodes.find(cut.node("view")));
    }

    void lateArgumentsComeFirst()
    {
        Outlining cut(test::twoModules());
        const NodeId weight = cut.copy(0, "p_a_b_weight");
        const NodeId x = cut.copy(0, "x");
        cut.goTo("mul");
        cut.open("a");
        cut.values.of(1, cut.node("x"));
        cut.values.of(1, cut.node("p_a_b_weight"));
        cut.goTo("neg");
        cut.calls.close();
        QCOMPARE(cut.in(0, cut.draft.outline.calls[0].node).args, (Arguments{Argument::node(weight), Argument::node(x)}));
    }
};

const test::Registered<OpenCallsTest> openCallsTest("open_calls_test");
#include "open_calls_test.moc"
