#include "passes/unflatten/hierarchy_tree.h"

#include "module_program.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;
using sunder::test::ModuleProgram;

namespace {

/// a calls a.b, which reads a weight; lin is called twice.
Program nested()
{
    ModuleProgram made;
    const NodeId weight = made.parameter("p_a_b_weight", "a.b.weight");
    const NodeId x = made.input("x");
    const NodeId mul = made.call("mul", "mul.Tensor", {x, weight}, {"a", "a.b"});
    const NodeId relu = made.call("relu", "relu.default", {mul}, {"a"});
    const NodeId first = made.call("neg", "neg.default", {relu}, {"lin"});
    const NodeId second = made.call("neg_1", "neg.default", {first}, {"lin@1"});
    return made.finish({second});
}

} // namespace

class HierarchyTreeTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        Result<UnflattenResult> result = unflatten(m_source);
        QVERIFY(result.has_value());
        m_result = std::move(*result);
        m_tree = hierarchyTree(m_result, m_source, "net");
    }

    void saysWhatEachModuleRuns()
    {
        QStringList said;
        for (const HierarchyTree::Entry& entry : m_tree.entries)
            said << QString::fromStdString(entry.name.str() + " " + entry.cls.str())
                    + QStringLiteral(" %1 ops, %2 calls").arg(entry.ops).arg(entry.calls);
        QCOMPARE(
            said,
            (QStringList{"net Net 4 ops, 0 calls", "a Part 2 ops, 1 calls", "b Part 1 ops, 1 calls", "lin Part 1 ops, 2 calls"}));
    }

    void leadsFromModulesToTheSourceAndBack()
    {
        const std::vector<NodeId> below = m_tree.sourcesBelow(entry("a"));
        for (const char* name : {"mul", "relu"})
            QVERIFY(std::ranges::find(below, node(name)) != below.end());
        QVERIFY(std::ranges::find(below, node("neg")) == below.end());
        const std::vector<NodeId> one{node("mul")};
        QCOMPARE(m_tree.holderOf(m_result.map, m_source.root, one).first, entry("a.b"));
        const std::vector<NodeId> both{node("mul"), node("relu")};
        QCOMPARE(m_tree.holderOf(m_result.map, m_source.root, both).first, entry("a"));
        QCOMPARE(m_tree.pathTo(entry("a.b")), (std::vector<std::int32_t>{0, entry("a"), entry("a.b")}));
    }

    void callsLeadToTheModuleThatTheyCall()
    {
        const Graph& main = m_result.program.rootGraph();
        std::vector<std::int32_t> called;
        for (const NodeId id : main.nodes())
            if (const std::int32_t at = m_tree.calledBy(m_result.program, 0, main[id]); at >= 0)
                called.push_back(at);
        QCOMPARE(called, (std::vector<std::int32_t>{entry("a"), entry("lin"), entry("lin")}));
    }

private:
    [[nodiscard]] NodeId node(const char* name) const { return m_source.rootGraph().find(intern(name)); }
    [[nodiscard]] std::int32_t entry(const char* path) const
    {
        return m_tree.entryOf[m_result.program.modules.find(intern(path)).index()];
    }

    const Program m_source = nested();
    UnflattenResult m_result;
    HierarchyTree m_tree;
};

const test::Registered<HierarchyTreeTest> hierarchyTreeTest("hierarchy_tree_test");
#include "hierarchy_tree_test.moc"
