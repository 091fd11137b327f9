#include "ir/lint.h"
#include "module_program.h"
#include "passes/unflatten/unflatten.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <algorithm>

using namespace sunder;
using test::ModuleProgram;

namespace {

using Names = std::vector<std::string>;

/// Node names of a module's graph, in order.
Names nodesOf(const Program& program, std::string_view path)
{
    Names names;
    const ModuleId module = program.modules.find(intern(path));
    if (!module || !program.modules[module].graph)
        return {"no graph"};
    const Graph& graph = program.graph(program.modules[module].graph);
    for (const NodeId id : graph.nodes())
        names.push_back(graph.node(id).name.str());
    return names;
}

Names modulesOf(const Program& program)
{
    Names names;
    for (const ModuleId id : program.modules.depthFirst())
        if (id != ModuleTree::root())
            names.push_back(program.modules[id].path.str());
    return names;
}

UnflattenResult unflattened(const Program& source, const UnflattenOptions& options = {})
{
    Result<UnflattenResult> result = unflatten(source, options);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    if (!lint(result->program).empty())
        qFatal("%s", lint(result->program).front().message.c_str());
    return std::move(*result);
}

bool isProven(const Program& source, const Program& result)
{
    return verifyResult(source, result)->verdict == Verdict::same;
}

/// One layer with a weight, called twice, with equal or different operators.
Program repeated(std::string_view second)
{
    ModuleProgram made;
    const NodeId weight = made.parameter("p_lin_weight", "lin.weight");
    const NodeId x = made.input("x");
    const NodeId mul = made.call("mul", "mul.Tensor", {x, weight}, {"lin"});
    const NodeId again = made.call("again", second, {mul, weight}, {"lin@1"});
    return made.finish({again});
}

/// Two calls of `m` that reach different children through equal interfaces.
Program otherChild()
{
    ModuleProgram made;
    const NodeId a = made.parameter("p_m_a_w", "m.a.w");
    const NodeId b = made.parameter("p_m_b_w", "m.b.w");
    const NodeId x = made.input("x");
    const NodeId first = made.call("mul", "mul.Tensor", {x, a}, {"m", "m.a"});
    const NodeId second = made.call("mul_1", "mul.Tensor", {x, b}, {"m@1", "m.b"});
    const NodeId sub = made.call("sub", "sub.Tensor", {first, second}, {});
    Program program = made.finish({sub});
    for (ModuleStack& stack : program.stacks)
        for (ModuleFrame& frame : stack)
            if (frame.path.view() == "m")
                frame.key = intern(frame.key.view() == "key:m@1" ? "key:m@1" : "key:m");
    return program;
}

} // namespace

class UnflattenTest final : public QObject {
    Q_OBJECT
private slots:
    void putsNodesIntoTheirModulesAndSinksParameters()
    {
        ModuleProgram made;
        const NodeId weight = made.parameter("p_a_b_weight", "a.b.weight");
        const NodeId x = made.input("x");
        const NodeId mul = made.call("mul", "mul.Tensor", {x, weight}, {"a", "a.b"});
        const NodeId relu = made.call("relu", "relu.default", {mul}, {"a"});
        const NodeId neg = made.call("neg", "neg.default", {relu}, {});
        const Program source = made.finish({neg});
        const UnflattenResult result = unflattened(source);
        QCOMPARE(nodesOf(result.program, ""), (Names{"x", "a", "neg", "output"}));
        QCOMPARE(nodesOf(result.program, "a"), (Names{"x", "b", "relu", "output"}));
        QCOMPARE(nodesOf(result.program, "a.b"), (Names{"x", "weight", "mul", "output"}));
        QVERIFY(result.program.tensors.find(intern("a.b.weight")).isValid());
        QVERIFY(isProven(source, result.program));
    }

    void givesEqualCallsOneModule()
    {
        const Program source = repeated("mul.Tensor");
        const UnflattenResult result = unflattened(source);
        QCOMPARE(modulesOf(result.program), (Names{"lin"}));
        QVERIFY(isProven(source, result.program));
    }

    void keepsDifferentCallsApart()
    {
        const Program source = repeated("add.Tensor");
        const UnflattenResult result = unflattened(source);
        QCOMPARE(modulesOf(result.program), (Names{"lin", "lin@1"}));
        QVERIFY(isProven(source, result.program));
    }

    void keepsCallsApartThatReachOtherChildren()
    {
        const Program source = otherChild();
        const UnflattenResult result = unflattened(source);
        QCOMPARE(modulesOf(result.program), (Names{"m", "m.a", "m.b", "m@1", "m@1.a", "m@1.b"}));
        QVERIFY(isProven(source, result.program));
    }

    void mergesThemAsPyTorchDoesWhenAsked()
    {
        const Program source = otherChild();
        const UnflattenResult result = unflattened(source, {.asUpstream = true});
        QCOMPARE(modulesOf(result.program), (Names{"m", "m.a", "m.b"}));
        QVERIFY(!isProven(source, result.program));
    }

    void saysWhichDeadOpsItDrops()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {"a"});
        NodeId last = relu;
        for (const char* name : {"dead_0", "dead_1", "dead_2", "dead_3"})
            last = made.call(name, "neg.default", {last}, {"a"});
        const UnflattenResult result = unflattened(made.finish({relu}));
        QCOMPARE(nodesOf(result.program, "a"), (Names{"x", "relu", "output"}));
        QCOMPARE(result.notes.size(), 1U);
        QCOMPARE(result.notes[0].message,
                 "4 dead ops were dropped, because nothing uses their results: dead_0, dead_1, dead_2 and 1 more");
        QVERIFY(result.notes[0].severity == Severity::note);
    }

    void writesMutationsBackInPlace()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId mul = made.call("mul", "mul.Tensor", {x, add}, {"a"});
        const Program source = made.finish({mul}, {{"a.count", add}});
        const UnflattenResult result = unflattened(source);
        QCOMPARE(nodesOf(result.program, "a"), (Names{"x", "count", "add", "copy__default", "mul", "output"}));
        QVERIFY(isProven(source, result.program));
    }

    void returnsTheBufferThatIsWrittenAndViewsOfTheValueBefore()
    {
        for (const bool shared : {false, true}) {
            ModuleProgram made;
            const NodeId count = made.buffer("b_count", "count");
            const NodeId add = made.call("add", "add.Tensor", {count, made.input("x")}, {});
            const NodeId view = made.call("view", "alias.default", {add}, {});
            const Program source = made.finish({add, view}, {{"count", add}});
            const UnflattenResult result = unflattened(source, {.sharedResults = shared});
            const Graph& graph = result.program.rootGraph();
            const Argument& returned = graph.node(graph.output()).args[0].items()[0];
            QCOMPARE(graph.node(returned.asNode()).name.str(), std::string(shared ? "copy__default" : "add"));
            const Argument& moved = graph.node(graph.output()).args[0].items()[1];
            const NodeId viewed = graph.node(moved.asNode()).args[0].asNode();
            QCOMPARE(graph.node(viewed).name.str(), std::string(shared ? "add" : "copy__default"));
            QVERIFY(isProven(source, result.program));
        }
    }

    void writesLastWhatIsReadAfterTheMutation()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId mul = made.call("mul", "mul.Tensor", {count, add}, {"a"}); // the old value
        const Program source = made.finish({mul}, {{"a.count", add}});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
    }

    void handsOutACopyOfWhatItOverwrites()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId view = made.call("detach", "detach.default", {count}, {});
        const Program source = made.finish({count, add, view, count}, {{"a.count", add}}); // the old value, twice
        const UnflattenResult result = unflattened(source);
        const Names nodes = nodesOf(result.program, "");
        QCOMPARE(std::ranges::count_if(nodes, [](const std::string& name) { return name.starts_with("clone"); }), 2);
        QVERIFY(isProven(source, result.program));
    }

    void writesLastWhatIsReadThroughAViewAfterTheMutation()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId view = made.call("detach", "detach.default", {count}, {"a"});
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId mul = made.call("mul", "mul.Tensor", {view, add}, {"a"});
        const Program source = made.finish({mul}, {{"a.count", add}});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
    }

    void handsOutItsOwnCloneOfWhatItOverwrites()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId clone = made.call("clone", "clone.default", {count}, {"a"});
        const Program source = made.finish({clone}, {{"a.count", add}});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
    }

    void keepsTheOldValueOfABufferUnderItsOtherName()
    {
        for (const std::int64_t offset : {0, 2, 6}) { // the same tensor, an overlapping one, an adjacent one
            ModuleProgram made;
            const NodeId count = made.buffer("b_a_count", "a.count");
            const NodeId other = made.buffer("b_b_count", "b.count", "a.count", offset);
            const NodeId x = made.input("x");
            const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
            const NodeId view = made.call("detach", "detach.default", {other}, {"b"});
            const NodeId mul = made.call("mul", "mul.Tensor", {view, add}, {"b"});
            const Program source = made.finish({mul, other}, {{"a.count", add}});
            const UnflattenResult result = unflattened(source);
            const Names nodes = nodesOf(result.program, "");
            QCOMPARE(std::ranges::count_if(nodes, [](const std::string& name) { return name.starts_with("clone"); }),
                     offset < 6 ? 1 : 0);
            const VerifyReport report = *verifyResult(source, result.program);
            // the verifier treats a storage as one memory
            QVERIFY2(offset == 6 || report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void writesWhatOtherMutationsOverwrite()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId last = made.buffer("b_a_last", "a.last");
        const NodeId x = made.input("x");
        const NodeId add = made.call("add", "add.Tensor", {count, x}, {"a"});
        const NodeId view = made.call("detach", "detach.default", {count}, {"a"}); // the old count becomes the last output
        const Program source = made.finish({add}, {{"a.count", add}, {"a.last", view}});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
        QVERIFY(!isProven(source, unflattened(source, {.asUpstream = true}).program));
        Q_UNUSED(last)
    }

    void setsABufferToAnInputInTheRoot()
    {
        ModuleProgram made;
        made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {"a"});
        const Program source = made.finish({x, relu}, {{"a.count", x}});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
        QCOMPARE(nodesOf(result.program, ""), (Names{"x", "a_count", "a", "copy__default", "output"}));
        const Result<UnflattenResult> upstream = unflatten(source, {.asUpstream = true});
        QVERIFY(!upstream.has_value());
        QCOMPARE(upstream.error().where.other, std::string("a.count"));
    }

    /// Each buffer is set to the old value of the other, so both writes come after all reads of either.
    void exchangesBuffers_data()
    {
        QTest::addColumn<bool>("firstFirst");
        QTest::newRow("first, second") << true;
        QTest::newRow("second, first") << false;
    }
    void exchangesBuffers()
    {
        QFETCH(bool, firstFirst);
        ModuleProgram made;
        const NodeId first = made.buffer("b_a_first", "a.first");
        const NodeId second = made.buffer("b_b_second", "b.second");
        const NodeId x = made.input("x");
        const NodeId clone = made.call("clone", "clone.default", {first}, {"a"});
        const NodeId add = made.call("add", "add.Tensor", {second, x}, {"b"});
        const std::pair<std::string, NodeId> one{"a.first", second};
        const std::pair<std::string, NodeId> other{"b.second", clone};
        const Program source = firstFirst ? made.finish({add, second}, {one, other}) : made.finish({add, second}, {other, one});
        QVERIFY(isProven(source, unflattened(source).program));
    }

    void mapsEveryCallOfTheSource()
    {
        const Program source = repeated("mul.Tensor");
        const UnflattenResult result = unflattened(source);
        for (const NodeId id : source.rootGraph().nodes()) {
            if (!source.rootGraph().node(id).isCall())
                continue;
            const auto found = result.map.resultsOf({source.root, id});
            const auto copies = std::count_if(found.begin(), found.end(),
                                              [](const IdentityMap::Pair& pair) { return !pair.created; });
            QCOMPARE(copies, 1);
        }
    }

    void putsNodesOfNoModuleIntoTheRoot()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        const NodeId abs = made.call("abs", "abs.default", {x}, {"a"}); // no module; before all other nodes
        const NodeId relu = made.call("relu", "relu.default", {abs}, {"a"});
        const NodeId neg = made.call("neg", "neg.default", {relu}, {"a"}); // no module; between two modules
        const NodeId sin = made.call("sin", "sin.default", {neg}, {"b"});
        const NodeId cos = made.call("cos", "cos.default", {sin}, {"b"}); // no module; after all other nodes
        Program source = made.finish({cos});
        for (const NodeId id : {abs, neg, cos})
            source.rootGraph().meta(id).modules = {};
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
        QCOMPARE(nodesOf(result.program, ""), (Names{"x", "abs_1", "a", "neg", "b", "cos", "output"}));
        const Result<UnflattenResult> upstream = unflatten(source, {.asUpstream = true});
        QVERIFY(!upstream.has_value());
        QCOMPARE(upstream.error().where.node, std::string("abs_1"));
    }

    void takesInputsThatStandBehindOtherNodes()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        const NodeId one = made.call("one", "ones.default", {}, {"a"});
        const NodeId weight = made.parameter("p_a_weight", "a.weight");
        const NodeId y = made.input("y");
        const NodeId mul = made.call("mul", "mul.Tensor", {y, weight}, {"a"});
        const Program source = made.finish({made.call("add", "add.Tensor", {mul, one}, {"a"}), x});
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
        QCOMPARE(nodesOf(result.program, ""), (Names{"x", "y", "a", "output"}));
        const Result<UnflattenResult> upstream = unflatten(source, {.asUpstream = true});
        QVERIFY(!upstream);
        QCOMPARE(upstream.error().where.node, std::string("p_a_weight"));
    }

    /// A node without a module between the nodes of a call neither splits the call nor moves its nodes.
    void keepsACallWholeAroundANodeOfNoModule()
    {
        ModuleProgram made;
        const NodeId count = made.buffer("b_a_count", "a.count");
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {"a", "a.b"});
        const NodeId add = made.call("add_", "add_.Tensor", {count, relu}, {"a", "a.b"}); // no module
        const NodeId neg = made.call("neg", "neg.default", {count}, {"a", "a.c"});
        const NodeId sin = made.call("sin", "sin.default", {neg}, {});
        Program source = made.finish({sin});
        source.rootGraph().meta(add).modules = {};
        const UnflattenResult result = unflattened(source);
        QVERIFY(isProven(source, result.program));
        QCOMPARE(modulesOf(result.program), (Names{"a", "a.b", "a.c"}));
        QCOMPARE(nodesOf(result.program, "a"), (Names{"x", "count", "b", "add_", "c", "output"}));
    }

    /// A module without nodes whose tensors are used by a node without a stack, as after the loss of its stacks.
    void refusesANodeWithoutAStackThatReadsWhatOnlyItsModuleHas()
    {
        ModuleProgram made;
        const NodeId weight = made.parameter("p_head_weight", "head.weight");
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {"a"});
        const NodeId mul = made.call("mul", "mul.Tensor", {relu, weight}, {"head"});
        Program source = made.finish({mul});
        source.rootGraph().meta(mul).modules = {};
        const Result<UnflattenResult> result = unflatten(source);
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().where.node, std::string("mul"));
        QCOMPARE(result.error().where.other, std::string("head"));
    }

    void refusesAModuleThatLiesElsewhere()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        const Program source = made.finish({made.call("relu", "relu.default", {x}, {"mid", "midway.leaf"})});
        QVERIFY(!unflatten(source).has_value());
    }

    void refusesAModuleThatContainsItself()
    {
        ModuleProgram made;
        const NodeId x = made.input("x");
        Program source = made.finish({made.call("relu", "relu.default", {x}, {"a", "a.b"})});
        for (ModuleFrame& frame : source.stacks.front())
            frame.key = intern("same");
        QVERIFY(!unflatten(source).has_value());
    }

    void refusesAPlainGraph()
    {
        const Result<UnflattenResult> result = unflatten(test::programFromText("x = placeholder()\noutput(x)"));
        QVERIFY(!result.has_value());
        QVERIFY(result.error().message.find("export signature") != std::string::npos);
    }

    void survivesADeepChainOfModules()
    {
        ModuleProgram made;
        NodeId x = made.input("x");
        std::vector<std::string> stack;
        std::string path;
        for (int i = 0; i < 300; ++i) {
            path += path.empty() ? "m" : ".m";
            stack.push_back(path);
        }
        x = made.call("relu", "relu.default", {x}, stack);
        const Program source = made.finish({x});
        QCOMPARE(unflattened(source).program.modules.size(), std::size_t(301));
    }
};

const test::Registered<UnflattenTest> unflattenTest("unflatten_test");
#include "unflatten_test.moc"
