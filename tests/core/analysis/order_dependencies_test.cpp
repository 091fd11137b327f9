#include "analysis/legality/order_dependencies.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Whether `before` is guaranteed to run before `after`, directly or transitively; data edges count as well.
bool keepsOrder(const Program& program, std::string_view before, std::string_view after)
{
    const Graph& graph = program.rootGraph();
    const OrderDependencies found = orderDependencies(program);
    std::vector<std::uint8_t> reached(graph.idBound(), 0);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        bool isReached = node.name.view() == before;
        forEachNode(node.args, node.kwargs, [&](NodeId input) { isReached = isReached || reached[input.index()] != 0; });
        for (const OrderDependency& order : found.pairs)
            isReached = isReached || (order.after == id && reached[order.before.index()] != 0);
        reached[id.index()] = isReached ? 1 : 0;
        if (node.name.view() == after)
            return isReached;
    }
    return false;
}

NodeId named(const Program& program, std::string_view name)
{
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph().node(id).name.view() == name)
            return id;
    return {};
}

bool noticesState(const Program& program, std::string_view name)
{
    return orderDependencies(program).noticesState[named(program, name).index()] != 0;
}

/// Makes the node "shape" read an attribute of x.
void askFor(Program& program, const char* attribute)
{
    Graph& graph = program.graph(program.root);
    const NodeId id = named(program, "shape");
    graph.setTarget(id, intern("builtins.getattr"), {});
    graph.setArguments(id, {Argument::node(named(program, "x")), Argument::string(intern(attribute))}, {});
}

} // namespace

class OrderDependenciesTest final : public QObject {
    Q_OBJECT
private slots:
    void whatIsSetToATensorLiesInItsMemory()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "y = placeholder()\n"
                                                      "set = call_method[set_](x, y)\n"
                                                      "write = call_method[zero_](set)\n"
                                                      "read = call_method[sin](y)\n"
                                                      "again = call_method[neg_](x)\n"
                                                      "output(read)");
        QVERIFY(keepsOrder(program, "write", "read"));
        QVERIFY(keepsOrder(program, "read", "again"));
    }

    void whatIsResizedLikeATensorKeepsItsOwnMemory()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "y = placeholder()\n"
                                                      "like = call_method[resize_as_](x, y)\n"
                                                      "write = call_method[zero_](like)\n"
                                                      "read = call_method[sin](y)\n"
                                                      "output(read)");
        QVERIFY(!keepsOrder(program, "write", "read"));
    }

    void modulesWhoseTensorsTheFileLacksMayShareThem()
    {
        Program program = test::programFromText("x = placeholder()\n"
                                                "first = call_module[first](x)\n"
                                                "second = call_module[second](x)\n"
                                                "output(first, second)");
        for (const char* path : {"first", "second"}) {
            Module& module = program.modules[program.modules.ensure(path)];
            module.cls = intern("torch.nn.modules.batchnorm.BatchNorm2d");
            module.leaf = true;
            module.attributes.emplace();
            for (const char* name : {"training", "track_running_stats"})
                module.attributes->push_back({intern(name), Argument::boolean(true)});
        }
        const std::vector<OrderDependency> pairs = orderDependencies(program).pairs;
        QCOMPARE(pairs.size(), std::size_t{1});
        QVERIFY(pairs.front().doubts == AccessDoubts{.isUnlisted = true});
        QVERIFY(keepsOrder(program, "first", "second"));
        for (const char* path : {"first.running_mean", "second.running_mean"}) {
            const StorageId storage = program.tensors.addStorage({.id = intern(path), .byteCount = 4});
            program.tensors.add({.fqn = intern(path), .role = TensorRole::buffer, .storage = storage});
        }
        QVERIFY(!keepsOrder(program, "first", "second"));
    }

    void whoAsksForTheShapeReadsNoMemory()
    {
        Program program = test::programFromText("x = placeholder()\n"
                                                "y = placeholder()\n"
                                                "shape = ask(x)\n"
                                                "like = call_method[view](y, shape)\n"
                                                "write = call_method[zero_](x)\n"
                                                "output(like)");
        askFor(program, "requires_grad"); // a tensor that is written to may come to require gradients
        QVERIFY(keepsOrder(program, "shape", "write"));
        QVERIFY(noticesState(program, "shape"));
        askFor(program, "shape");
        QVERIFY(!keepsOrder(program, "shape", "write"));
        QVERIFY(!noticesState(program, "shape"));
    }
};

const test::Registered<OrderDependenciesTest> orderDependenciesTest("order_dependencies_test");
#include "order_dependencies_test.moc"
