#include "../passes/module_program.h"
#include "analysis/representatives.h"
#include "passes/unflatten/unflatten.h"

#include "test_case.h"

#include <QTest>

#include <map>

using namespace sunder;

namespace {

using Names = std::vector<std::string>;

/// "graph/node" → names of the nodes it represents; graphs are named by the path of their module.
std::map<std::string, Names> namesOf(const Program& source, const UnflattenResult& made)
{
    std::map<std::string, Names> names;
    const auto all = representatives(source, made.program, made.map);
    for (const ModuleId id : made.program.modules.depthFirst()) {
        const Module& module = made.program.modules[id];
        if (!module.graph)
            continue;
        for (const Representative& representative : all[module.graph.index()]) {
            Names& held = names[module.path.str() + "/" + made.program.graph(module.graph)[representative.node].name.str()];
            for (const NodeId node : representative.sources)
                held.push_back(source.rootGraph()[node].name.str());
        }
    }
    return names;
}

} // namespace

/// Nodes of the source that run in a call.
class RepresentativesTest final : public QObject {
    Q_OBJECT

private slots:
    void aCallStandsForAllThatRunsInIt()
    {
        test::ModuleProgram model;
        const NodeId x = model.input("x");
        const NodeId a = model.call("a", "relu.default", {x}, {"outer", "outer.inner"});
        const NodeId b = model.call("b", "sin.default", {a}, {"outer"});
        const NodeId c = model.call("c", "cos.default", {b}, {});
        const Program source = model.finish({c});
        const auto names = namesOf(source, *unflatten(source));
        QCOMPARE(names.size(), std::size_t(2));
        QCOMPARE(names.at("/outer"), (Names{"a", "b"}));
        QCOMPARE(names.at("outer/inner"), (Names{"a"}));
    }

    void callsOfOneModuleStandForWhatEachOfThemRuns()
    {
        test::ModuleProgram model;
        const NodeId x = model.input("x");
        const NodeId a = model.call("a", "relu.default", {x}, {"act"});
        const NodeId b = model.call("b", "sin.default", {a}, {});
        const NodeId c = model.call("c", "relu.default", {b}, {"act@1"});
        const Program source = model.finish({c});
        const auto names = namesOf(source, *unflatten(source));
        QCOMPARE(names.at("/act"), (Names{"a"}));
        QCOMPARE(names.at("/act_1"), (Names{"c"}));
        QCOMPARE(names.at("act/a"), (Names{"a", "c"})); // one copy represents both
    }

    void whatIsCalledWithinASharedModuleStandsForAllItsRuns()
    {
        test::ModuleProgram model;
        const NodeId x = model.input("x");
        const NodeId a = model.call("a", "relu.default", {x}, {"block", "block.act"});
        const NodeId b = model.call("b", "relu.default", {a}, {"block@1", "block.act@1"});
        const Program source = model.finish({b});
        const auto names = namesOf(source, *unflatten(source));
        for (const auto& [name, held] : names)
            if (name.starts_with("block/"))
                QCOMPARE(held, (Names{"a", "b"}));
        QCOMPARE(names.at("/block"), (Names{"a"}));
    }

    void callsInAFanEndAtABound()
    {
        Program result; // each module calls the next one twice: 2^60 runs
        result.root = result.addGraph(ModuleTree::root());
        result.modules[ModuleTree::root()].graph = result.root;
        GraphId graph = result.root;
        std::string path;
        for (int depth = 0; depth < 60; ++depth) {
            path = joinPath(path, "m");
            const ModuleId module = result.modules.ensure(path);
            const GraphId inner = result.addGraph(module);
            result.modules[module].graph = inner;
            for (int i = 0; i < 2; ++i)
                result.graph(graph).append(
                    {.op = Op::callModule, .name = intern("m" + std::to_string(i)), .target = intern("m")});
            graph = inner;
        }
        IdentityMap map;
        map.finish();
        Program source;
        source.root = source.addGraph(ModuleTree::root());
        QCOMPARE(representatives(source, result, map).size(), result.graphs.size());
    }

    void callsWithinCallsEndAtABound()
    {
        // each runs one node and the next module: quadratic if listed as nodes of the outer calls
        constexpr std::size_t kDepth = 20'000;
        Program source;
        source.root = source.addGraph(ModuleTree::root());
        Program result;
        result.root = result.addGraph(ModuleTree::root());
        result.modules[ModuleTree::root()].graph = result.root;
        IdentityMap map;
        ModuleId next;
        for (std::size_t i = 0; i < kDepth; ++i) { // innermost first, so that "same" names an earlier module
            const std::string path = "m" + std::to_string(i);
            const ModuleId module = result.modules.ensure(path);
            const GraphId graph = result.addGraph(module);
            result.modules[module].graph = graph;
            const InternedString name = intern("r" + std::to_string(i));
            const NodeId from = source.rootGraph().append({.name = name, .target = intern("torch.relu")});
            map.add({source.root, from}, {graph, result.graph(graph).append({.name = name, .target = intern("torch.relu")})});
            if (next) {
                const ModuleId alias = result.modules.ensure(path + ".n");
                result.modules[alias].same = next;
                result.graph(graph).append({.op = Op::callModule, .name = intern("n"), .target = intern("n")});
            }
            next = module;
        }
        result.rootGraph().append({.op = Op::callModule, .name = intern("n"), .target = result.modules[next].path});
        map.finish();
        std::size_t held = 0;
        for (const std::vector<Representative>& graph : representatives(source, result, map))
            for (const Representative& representative : graph)
                held += representative.sources.size();
        QVERIFY(held > kDepth);
        QVERIFY2(held < 1'000 * kDepth, qPrintable(QString::number(held)));
    }
};

const test::Registered<RepresentativesTest> representativesTest("representatives_test");
#include "representatives_test.moc"
