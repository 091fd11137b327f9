#include "ir/graph.h"

#include "ir/lint.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <random>

using namespace sunder;

namespace {

std::string names(const Graph& graph, const auto& ids)
{
    std::string text;
    for (const NodeId id : ids)
        text += (text.empty() ? "" : " ") + graph.node(id).name.str();
    return text;
}

NodeId call(Graph& graph, const char* target, Arguments args = {})
{
    return graph.create({.op = Op::callFunction, .target = intern(target), .args = std::move(args)});
}

Argument node(NodeId id)
{
    return Argument::node(id);
}

} // namespace

class GraphTest final : public QObject {
    Q_OBJECT
private slots:
    void insertsWhereItIsTold()
    {
        Graph graph;
        const NodeId a = call(graph, "m.a");
        const NodeId b = call(graph, "m.b");
        {
            const InsertScope scope(graph, Graph::InsertPoint::before(b));
            call(graph, "m.c");
            call(graph, "m.d");
        }
        QCOMPARE(names(graph, graph.nodes()), std::string("a c d b"));
        {
            const InsertScope scope(graph, Graph::InsertPoint::after(a));
            call(graph, "m.e");
            call(graph, "m.f");
        }
        call(graph, "m.g");
        QCOMPARE(names(graph, graph.nodes()), std::string("a f e c d b g"));
    }

    void listsUsersInTheOrderInWhichTheyCameToUse()
    {
        Graph graph;
        const NodeId x = call(graph, "m.x");
        const NodeId y = call(graph, "m.y");
        const NodeId a = call(graph, "m.a", {node(x), node(x)});
        const NodeId b = call(graph, "m.b", {node(x), node(y)});
        QCOMPARE(names(graph, graph.users(x)), std::string("a b"));
        QCOMPARE(names(graph, graph.inputs(b)), std::string("x y"));
        QCOMPARE(graph.node(x).userCount(), 2U);
        graph.setArguments(a, {Argument::list({node(y), node(x)})}, {});
        QCOMPARE(names(graph, graph.users(x)), std::string("b a"));
        QCOMPARE(names(graph, graph.users(y)), std::string("b a"));
        QCOMPARE(names(graph, graph.inputs(a)), std::string("y x"));
    }

    void replacesAllUses()
    {
        Graph graph;
        const NodeId x = call(graph, "m.x");
        const NodeId a = call(graph, "m.a", {node(x)});
        const NodeId b = graph.create({.target = intern("m.b"),
                                       .args = {Argument::dict({Argument::string(intern("k"))}, {node(x)})},
                                       .kwargs = {{intern("w"), Argument::slice(node(x), {}, {})}}});
        const NodeId z = call(graph, "m.z");
        QCOMPARE(names(graph, graph.replaceAllUses(x, z)), std::string("a b"));
        QVERIFY(graph.users(x).empty());
        QCOMPARE(names(graph, graph.users(z)), std::string("a b"));
        QCOMPARE(graph.node(b).kwargs[0].value.items()[0].asNode(), z);
        graph.replaceUsesIf(z, x, [&](NodeId user) { return user == b; });
        QCOMPARE(names(graph, graph.users(z)), std::string("a"));
        QCOMPARE(names(graph, graph.users(x)), std::string("b"));
        QCOMPARE(graph.node(a).args[0].asNode(), z);
    }

    void refusesToEraseWhatIsUsed()
    {
        Graph graph;
        const NodeId x = call(graph, "m.x");
        const NodeId a = call(graph, "m.a", {node(x)});
        call(graph, "m.b", {node(x)});
        const Result<void> erased = graph.erase(x);
        QVERIFY(!erased);
        QCOMPARE(erased.error().message, std::string("cannot erase x: it is used by a and 1 more"));
        QCOMPARE(erased.error().where.node, std::string("x"));
        QVERIFY(graph.erase(a));
        QVERIFY(graph.node(a).isErased());
        QCOMPARE(names(graph, graph.nodes()), std::string("x b"));
        QCOMPARE(names(graph, graph.users(x)), std::string("b"));
        QCOMPARE(graph.size(), std::size_t(2));
    }

    void namesCopiesAfterTheirSource()
    {
        Graph source;
        NodeSpec spec{.target = intern("m.f"), .type = intern("int"), .tag = intern("t"), .sizeBytes = SizeBytes{1, 2}};
        spec.meta.trace = intern("here");
        const NodeId f = source.create(spec);
        source.setName(f, intern("relu"));
        Graph graph;
        const NodeId first = graph.copy(source, f, {}, {});
        const NodeId second = graph.copy(source, f, {}, {});
        QCOMPARE(names(graph, graph.nodes()), std::string("relu relu_1"));
        QCOMPARE(graph.node(second).type, intern("int"));
        QCOMPARE(graph.node(second).meta.trace, intern("here"));
        QVERIFY(graph.node(first).tag.empty());
        QVERIFY(!graph.node(first).sizeBytes);
    }

    void derivesNamesFromTargets_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("name");
        QTest::newRow("a function") << "call_function" << "torch.nn.functional.relu" << "relu";
        QTest::newRow("a builtin") << "call_function" << "getattr" << "getattr_1";
        QTest::newRow("a method with underscores") << "call_method" << "__add__" << "add";
        QTest::newRow("a module path") << "call_module" << "layers.0.convLayer" << "layers_0_conv_layer";
        QTest::newRow("an attribute") << "get_attr" << "0.weight" << "_0_weight";
    }
    void derivesNamesFromTargets()
    {
        QFETCH(QString, op);
        QFETCH(QString, target);
        QFETCH(QString, name);
        Graph graph;
        const NodeId id = graph.create({.op = *opOf(op.toStdString()), .target = intern(target.toStdString())});
        QCOMPARE(QString::fromStdString(graph.node(id).name.str()), name);
    }

    void movesNodes()
    {
        Graph graph;
        const NodeId a = call(graph, "m.a");
        const NodeId b = call(graph, "m.b");
        const NodeId c = call(graph, "m.c");
        graph.moveBefore(c, a);
        QCOMPARE(names(graph, graph.nodes()), std::string("c a b"));
        graph.moveAfter(c, b);
        QCOMPARE(names(graph, graph.nodes()), std::string("a b c"));
        graph.moveAfter(b, b);
        QCOMPARE(names(graph, graph.nodes()), std::string("a b c"));
        QCOMPARE(graph.last(), c);
        QCOMPARE(graph.positions()[b.index()], 1U);
    }

    void givesUsersAnotherOrder()
    {
        const Program program = test::programFromText("x = placeholder()\na = f(x)\nb = f(x)\nc = f(x)\noutput(c)");
        Graph graph = program.rootGraph();
        const NodeId x = graph.first();
        const std::vector<NodeId> order = {graph.find(intern("c")), graph.find(intern("a")), graph.find(intern("b"))};
        graph.setUserOrder(x, order);
        QCOMPARE(names(graph, graph.users(x)), std::string("c a b"));
        QVERIFY(graph.erase(graph.find(intern("a"))));
        QCOMPARE(names(graph, graph.users(x)), std::string("c b"));
        QVERIFY(lint(graph).empty());
    }

    void staysSoundUnderRandomEdits()
    {
        std::mt19937 random(3);
        Graph graph;
        std::vector<NodeId> ids = {call(graph, "m.x")};
        for (int step = 0; step < 3000; ++step) {
            const auto any = [&] { return ids[random() % ids.size()]; };
            const std::vector<std::uint32_t> at = graph.positions();
            const NodeId one = any();
            const NodeId two = any();
            switch (random() % 4) {
            case 0: ids.push_back(call(graph, "m.f", {node(one), Argument::tuple({node(two), node(one)})})); break;
            case 1:
                if (graph.node(one).userCount() == 0 && ids.size() > 1) {
                    QVERIFY(graph.erase(one));
                    std::erase(ids, one);
                }
                break;
            case 2:
                if (at[two.index()] < at[one.index()])
                    graph.setArguments(one, {node(two)}, {});
                break;
            default: graph.replaceUsesIf(one, two, [&](NodeId user) { return at[two.index()] < at[user.index()]; }); break;
            }
        }
        QCOMPARE(graph.size(), ids.size());
        for (const Diagnostic& found : lint(graph))
            QVERIFY2(found.severity != Severity::error, found.message.c_str());
    }
};

const test::Registered<GraphTest> graphTest("graph_test");
#include "graph_test.moc"
