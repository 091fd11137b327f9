#include "passes/move_non_tensor/move_non_tensor.h"
#include "test_case.h"
#include "typed_program.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <queue>
#include <random>
#include <set>

using namespace sunder;

namespace {

/// Parses "acc: a b; cpu: c": subgraphs with their nodes.
std::vector<NodeSubgraph> subgraphsFromText(const Graph& graph, const QString& text)
{
    std::vector<NodeSubgraph> subgraphs;
    for (const QString& part : text.split(';', Qt::SkipEmptyParts)) {
        subgraphs.push_back({.isAcc = part.section(':', 0, 0).trimmed() == "acc", .nodes = {}});
        for (const QString& name : part.section(':', 1).split(' ', Qt::SkipEmptyParts))
            subgraphs.back().nodes.push_back(graph.find(intern(name.toStdString())));
    }
    return subgraphs;
}

QString textOf(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs)
{
    QStringList parts;
    for (const NodeSubgraph& subgraph : subgraphs) {
        QStringList words{subgraph.isAcc ? "acc:" : "cpu:"};
        for (const NodeId id : subgraph.nodes)
            words << QString::fromStdString(graph[id].name.str());
        parts << words.join(' ');
    }
    return parts.join("; ");
}

/// A literal implementation of the pass: every attempt visits everything that depends on a node.
class SlowMover {
public:
    SlowMover(const Graph& graph, const std::vector<NodeSubgraph>& subgraphs) : m_graph(graph), m_subgraphs(subgraphs) {}

    std::vector<NodeSubgraph> run()
    {
        for (std::size_t source = 0; source < m_subgraphs.size(); ++source)
            if (m_subgraphs[source].isAcc)
                empty(source);
        return m_subgraphs;
    }

private:
    std::size_t place(NodeId id) const
    {
        std::size_t at = 0;
        while (at < m_subgraphs.size() && std::ranges::find(m_subgraphs[at].nodes, id) == m_subgraphs[at].nodes.end())
            ++at;
        return at;
    }

    std::set<std::size_t> targetsOf(NodeId id) const
    {
        std::set<std::size_t> targets;
        for (const NodeId user : m_graph.users(id))
            if (m_graph[user].isCall() && place(user) != place(id))
                targets.insert(place(user));
        targets.erase(m_subgraphs.size());
        return targets;
    }

    void empty(std::size_t source)
    {
        std::queue<NodeId> queue;
        for (const NodeId id : m_subgraphs[source].nodes)
            if (!isTensorOutput(m_graph[id]) && !targetsOf(id).empty())
                queue.push(id);
        std::set<NodeId> tried;
        for (; !queue.empty(); queue.pop()) {
            const NodeId id = queue.front();
            if (place(id) != source || !tried.insert(id).second || !tryToMove(id, source))
                continue;
            for (const NodeId input : m_graph.inputs(id))
                if (m_graph[input].isCall() && place(input) == source && !isTensorOutput(m_graph[input]))
                    queue.push(input);
        }
    }

    bool tryToMove(NodeId id, std::size_t source)
    {
        std::set<NodeId> moving = {id};
        std::set<std::size_t> targets;
        for (std::vector<NodeId> todo = {id}; !todo.empty();) {
            const NodeId next = todo.back();
            todo.pop_back();
            targets.merge(targetsOf(next));
            for (const NodeId user : m_graph.users(next))
                if (m_graph[user].isCall() && place(user) == source && moving.insert(user).second)
                    todo.push_back(user);
        }
        if (targets.size() != 1)
            return false;
        std::vector<NodeId>& from = m_subgraphs[source].nodes;
        std::ranges::copy_if(from, std::back_inserter(m_subgraphs[*targets.begin()].nodes),
                             [&](NodeId node) { return moving.contains(node); });
        std::erase_if(from, [&](NodeId node) { return moving.contains(node); });
        return true;
    }

    const Graph& m_graph;
    std::vector<NodeSubgraph> m_subgraphs;
};

struct RandomCase {
    Program program;
    std::vector<NodeSubgraph> subgraphs;
};

RandomCase randomCase(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
    RandomCase made{{}, std::vector<NodeSubgraph>(1 + below(6))};
    Graph& graph = made.program.graph(made.program.addGraph(ModuleTree::root()));
    std::vector<NodeId> values = {graph.create({.op = Op::placeholder, .name = {}, .target = intern("x")})};
    for (NodeSubgraph& subgraph : made.subgraphs)
        subgraph.isAcc = below(3) != 0;
    const std::size_t calls = 2 + below(50);
    for (std::size_t i = 0; i < calls; ++i) {
        const std::size_t near = values.size() > 6 ? values.size() - 6 : 0;
        NodeSpec spec{.op = Op::callFunction, .name = {}, .target = intern("torch.ops.test.f")};
        for (std::size_t k = 0; k <= below(2); ++k)
            spec.args.push_back(Argument::node(values[near + below(values.size() - near)]));
        if (below(3) == 0)
            spec.meta.outType = intern("torch.Tensor");
        values.push_back(graph.create(std::move(spec)));
        if (below(10) != 0)
            made.subgraphs[std::min(made.subgraphs.size() - 1, (i * made.subgraphs.size() / calls + below(2)))].nodes.push_back(
                values.back());
    }
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {Argument::node(values.back())}});
    return made;
}

} // namespace

class MoveNonTensorTest final : public QObject {
    Q_OBJECT
private slots:
    void movesWhatIsNoTensorToItsUser_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("subgraphs");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("a size") << "x=placeholder()\n s=f(x)\n t=g(x,s)\n out=output(t)" << "acc: s; cpu: t" << "acc:; cpu: t s";
        QTest::newRow("not a tensor's") << "x=placeholder()\n t1=f(x)\n t2=g(t1)\n out=output(t2)" << "acc: t1; cpu: t2"
                                        << "acc: t1; cpu: t2";
        QTest::newRow("not from a processor") << "x=placeholder()\n s=f(x)\n t=g(s)\n out=output(t)" << "cpu: s; acc: t"
                                              << "cpu: s; acc: t";
        QTest::newRow("a tensor that depends on it") << "x=placeholder()\n s=f(x)\n t1=g(s)\n t2=h(t1,s)\n out=output(t2)"
                                                     << "acc: s t1; cpu: t2" << "acc:; cpu: t2 s t1";
        QTest::newRow("then its inputs") << "x=placeholder()\n a=f(x)\n b=f(a)\n t=g(b)\n out=output(t)" << "acc: a b; cpu: t"
                                         << "acc:; cpu: t b a";
        QTest::newRow("on through the next accelerator") << "x=placeholder()\n s=f(x)\n i=f(s)\n t=g(i)\n out=output(t)"
                                                         << "acc: s; acc: i; cpu: t" << "acc:; acc:; cpu: t i s";
    }
    void movesWhatIsNoTensorToItsUser()
    {
        QFETCH(QString, program);
        QFETCH(QString, subgraphs);
        QFETCH(QString, wanted);
        const Program source = test::programWithTensors(program.toStdString().c_str(), "tx");
        const auto result = moveNonTensorNodes(source.rootGraph(), subgraphsFromText(source.rootGraph(), subgraphs));
        QVERIFY(result.has_value());
        QCOMPARE(textOf(source.rootGraph(), result->subgraphs), wanted);
    }

    void saysWhyANodeStays_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("subgraphs");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("why");
        const QString forked = "x=placeholder()\n s=f(x)\n t1=g(s)\n t2=h(s)\n out=output(t2)";
        QTest::newRow("two users") << forked << "acc: s; cpu: t1; acc: t2" << "several-subgraphs"
                                   << "s is used by t1 in subgraph 1 and by t2 in subgraph 2; it can move to only one of them";
        QTest::newRow("no accelerator")
            << "x=placeholder()\n s=f(x)\n t=g(s)\n out=output(t)" << "cpu: s; acc: t" << "not-accelerator"
            << "s is used by t in subgraph 1, but subgraph 0 is not on an accelerator, and only nodes on accelerators are moved";
        QTest::newRow("a third subgraph further down")
            << "x=placeholder()\n s=f(x)\n t1=f(s)\n t2=g(t1)\n t3=h(s)\n out=output(t3)" << "acc: s t1; cpu: t3; acc: t2"
            << "third-subgraph"
            << "s could move to t3 in subgraph 1, but nodes that depend on it and would move too are used by t2 in subgraph 2";
        QTest::newRow("a node that was taken along")
            << "x=placeholder()\n p=f(x)\n s=f(x)\n d=f(s,p)\n t=g(s)\n out=output(t)"
            << "acc: p s d; cpu: t" << "not-revisited"
            << "p is used by d in subgraph 1 only since a later move; subgraph 0 was already processed, and "
               "only direct inputs of a moved node are processed again";
    }
    void saysWhyANodeStays()
    {
        QFETCH(QString, program);
        QFETCH(QString, subgraphs);
        QFETCH(QString, reason);
        QFETCH(QString, why);
        const Program source = test::programWithTensors(program.toStdString().c_str(), "tx");
        const auto result = moveNonTensorNodes(source.rootGraph(), subgraphsFromText(source.rootGraph(), subgraphs));
        QVERIFY(result.has_value());
        QCOMPARE(result->staying.size(), std::size_t{1});
        const std::string_view said = name(result->staying[0].reason);
        QCOMPARE(QString::fromUtf8(said.data(), static_cast<qsizetype>(said.size())), reason);
        QCOMPARE(QString::fromStdString(result->staying[0].why), why);
    }

    void refusesANodeInTwoSubgraphs()
    {
        const Program source = test::programWithTensors("x=placeholder()\n s=f(x)\n out=output(s)", "tx");
        const auto result = moveNonTensorNodes(source.rootGraph(), subgraphsFromText(source.rootGraph(), "acc: s; cpu: s"));
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::refused);
    }

    void agreesWithTheSlowWay()
    {
        std::size_t moved = 0;
        for (unsigned seed = 0; seed < 500; ++seed) {
            const RandomCase made = randomCase(seed);
            const Graph& graph = made.program.rootGraph();
            const auto result = moveNonTensorNodes(graph, made.subgraphs);
            QVERIFY(result.has_value());
            QCOMPARE(textOf(graph, result->subgraphs), textOf(graph, SlowMover(graph, made.subgraphs).run()));
            moved += result->moved.size();
            for (const StayingNode& stay : result->staying)
                QVERIFY(!stay.why.empty() && !isTensorOutput(graph[stay.node]));
        }
        QVERIFY(moved > 500);
    }
};

const test::Registered<MoveNonTensorTest> moveNonTensorTest("move_non_tensor_test");
#include "move_non_tensor_test.moc"
