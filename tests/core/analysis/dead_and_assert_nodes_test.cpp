#include "analysis/run_order/call_effects.h"

#include "analysis/cut/cut_graph.h"
#include "analysis/cut/node_sizes.h"
#include "analysis/tag_legality.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Replaces the targets of calls by those given as name, target.
Program withTargets(const std::string& text, const std::vector<std::pair<std::string, std::string>>& targets)
{
    Program program = test::programFromText(text);
    test::giveTestSchemas(program);
    for (const auto& [name, target] : targets)
        program.rootGraph().setTarget(program.rootGraph().find(intern(name)), intern(target), {});
    return program;
}

QStringList deadAndAssertNodesIn(const Program& program)
{
    const std::vector<char> found = deadAndAssertNodes(program, program.root);
    QStringList names;
    for (const NodeId id : program.rootGraph().nodes())
        if (found[id.index()] != 0)
            names << QString::fromStdString(program.rootGraph()[id].name.str());
    return names;
}

constexpr const char* kAssertions = "x = placeholder() : 4\ny = op(x) : 4\na = check(y)\nsize = op(y)\ngreater = op(size)\n"
                                    "b = check(greater)\nz = op(y) : 4\noutput(z)\n";

Program asserted()
{
    return withTargets(kAssertions,
                       {{"a", "torch.ops.aten._assert_tensor_metadata.default"}, {"b", "torch.ops.aten._assert_scalar.default"}});
}

} // namespace

class DeadAndAssertNodesTest final : public QObject {
    Q_OBJECT
private slots:
    void findsAssertionsAndWhatOnlyTheyRead()
    {
        QCOMPARE(deadAndAssertNodesIn(asserted()), QStringList({"a", "size", "greater", "b"}));
    }

    void findsChainsThatNobodyUses()
    {
        const Program program = withTargets("x = placeholder()\ny = op(x)\na = op(y)\nb = op(a, x)\noutput(y)\n", {});
        QCOMPARE(deadAndAssertNodesIn(program), QStringList({"a", "b"}));
    }

    /// After a chain with tag a, among calls with tag b, one more call has tag a: an island only if its value is used.
    void isNoIslandOfItsTag_data()
    {
        QTest::addColumn<bool>("isRead");
        QTest::addColumn<std::size_t>("islands");
        QTest::newRow("read") << true << std::size_t{1};
        QTest::newRow("not read") << false << std::size_t{0};
    }

    void isNoIslandOfItsTag()
    {
        QFETCH(const bool, isRead);
        QFETCH(const std::size_t, islands);
        std::string text = "x = placeholder()\na0 = op(x)\n";
        for (int i = 1; i < 12; ++i)
            text += "a" + std::to_string(i) + " = op(a" + std::to_string(i - 1) + ")\n";
        text += "b = op(a11)\nisland = op(b)\nlast = op(b" + std::string(isRead ? ", island" : "") + ")\noutput(last)\n";
        const Program program = withTargets(text, {});
        TagAssignment tags{.order = {intern("a"), intern("b")},
                           .tagOf = std::vector<std::int32_t>(program.rootGraph().idBound(), TagAssignment::kUntagged)};
        for (const NodeId id : program.rootGraph().nodes())
            if (const std::string name = program.rootGraph()[id].name.str(); program.rootGraph()[id].isCall())
                tags.tagOf[id.index()] = name.starts_with("a") || name == "island" ? 0 : 1;
        QCOMPARE(checkTags(program, tags).islands.size(), islands);
    }

    void leavesWhatActs()
    {
        const Program program = withTargets("x = placeholder()\nw = op(x)\nr = op(x)\nu = op(x)\nm = call_module[net](x)\n"
                                            "y = op(x)\noutput(y)\n",
                                            {{"w", "torch.ops.aten.relu_.default"},
                                             {"r", "torch.ops.aten.rand_like.default"},
                                             {"u", "torch.ops.nobody.knows.default"}});
        QCOMPARE(deadAndAssertNodesIn(program), QStringList());
    }

    void needsAnOutput() { QCOMPARE(deadAndAssertNodesIn(withTargets("x = placeholder()\ny = op(x)\n", {})), QStringList()); }

    void haveNoUnknownSize()
    {
        const Program program = asserted();
        const CutGraph graph = cutGraph(program);
        for (std::uint32_t value = 0; value < graph.nodes.size(); ++value)
            QCOMPARE(int(graph.isUnknown[value]), 0);
        const NodeSizes sizes = sizesOfNodes(program);
        for (const NodeId id : program.rootGraph().nodes())
            if (program.rootGraph()[id].op != Op::output)
                QVERIFY(sizes.known[id.index()] != 0);
    }

    void leaveOthersUnknown()
    {
        const Program program = withTargets("x = placeholder()\ny = op(x)\nz = op(y) : 4\noutput(z)\n", {});
        const CutGraph graph = cutGraph(program);
        QCOMPARE(int(graph.isUnknown[graph.valueOf[program.rootGraph().find(intern("y")).index()]]), 1);
    }
};

const test::Registered<DeadAndAssertNodesTest> deadAndAssertNodesTest("dead_and_assert_nodes_test");
#include "dead_and_assert_nodes_test.moc"
