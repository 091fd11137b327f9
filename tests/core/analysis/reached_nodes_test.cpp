#include "analysis/search/reached_nodes.h"
#include "analysis/search/text_pattern.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

/// Widening a selection by dependencies and by equal ops or modules, and fuzzy matching.
class ReachedNodesTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_program = test::programFromText("x = placeholder()\n"
                                          "a = relu(x) @ one Block\n"
                                          "b = tanh(a) @ one Block\n"
                                          "c = relu(b) @ two Block\n"
                                          "d = tanh(c) @ two Block\n"
                                          "e = relu(d) @ three Block\n"
                                          "output(e)\n");
    }

    void followsInputsAndUsers()
    {
        QCOMPARE(names(withAllNeeded(graph(), std::vector{node("b")})), QString("x a b"));
        QCOMPARE(names(withAllNeeding(graph(), std::vector{node("d")})), QString("d e output"));
    }

    void findsWhatDoesTheSame() { QCOMPARE(names(sameOperations(graph(), std::vector{node("a")})), QString("a c e")); }

    void equalModulesRunTheSameInTheSameOrder()
    {
        QCOMPARE(names(inEqualModules(m_program, "two")), QString("a b c d"));
        QCOMPARE(names(inEqualModules(m_program, "three")), QString("e"));
        QVERIFY(inEqualModules(m_program, "four").empty());
    }

    void lettersInOrderPick()
    {
        QVERIFY(!fuzzyMatch("xq", "Export"));
        QVERIFY(fuzzyMatch("sa", "Select all"));
        QVERIFY(*fuzzyMatch("sa", "Select all") > *fuzzyMatch("sa", "Erase tags, all"));
        QVERIFY(*fuzzyMatch("fit", "Fit") > *fuzzyMatch("fit", "Fill in untagged ops, first"));
        QCOMPARE(fuzzyMatch(" ", "Fit"), std::optional<int>(0));
    }

private:
    const Graph& graph() const { return m_program.rootGraph(); }
    NodeId node(const char* called) const { return graph().find(intern(called)); }
    QString names(const std::vector<NodeId>& nodes) const
    {
        QStringList all;
        for (const NodeId id : nodes)
            all << QString::fromStdString(graph()[id].name.str());
        return all.join(' ');
    }

    Program m_program;
};

const test::Registered<ReachedNodesTest> reachedNodesTest("reached_nodes_test");
#include "reached_nodes_test.moc"
