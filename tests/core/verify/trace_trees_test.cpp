#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;

namespace {

std::string treeNode(const std::string& type, const std::string& context, const std::string& children)
{
    return "{\"type\": " + type + ", \"context\": " + context + ", \"children_spec\": [" + children + "]}";
}

const std::string kTreeLeaf = treeNode("null", "null", "");
const std::string kTreePair = kTreeLeaf + ", " + kTreeLeaf;
const std::string kTupleTree = treeNode("\"builtins.tuple\"", "\"null\"", kTreePair);
const std::string kDictTree = treeNode("\"builtins.dict\"", "\"[\\\"a\\\", \\\"b\\\"]\"", kTreePair);

/// Returns a program whose node "s" reads a tree spec.
Program withTreeSpec(std::string_view text, const std::string& spec)
{
    Program program = test::ProgramText::program(text);
    Graph& graph = program.rootGraph();
    const NodeId node = graph.find(intern("s"));
    graph.setTarget(node, intern("tree_spec"), {});
    graph.meta(node).val = Argument::opaque(intern("[1, " + spec + "]"), intern("torch.utils._pytree.TreeSpec"));
    return program;
}

const std::string kFlatten = "torch.fx._pytree.tree_flatten_spec";
const std::string kUnflatten = "torch.utils._pytree.tree_unflatten";

} // namespace

/// Flattening and unflattening of pytrees while a trace is written.
class TraceTreesTest final : public QObject {
    Q_OBJECT
private slots:
    void takesATupleApart()
    {
        TracedProgram traced(withTreeSpec("x = input; y = input; s = attr none; l = " + kFlatten
                                              + "((x, y), s); i = _operator.getitem(l, 1); return i",
                                          kTupleTree));
        const Trace trace = traced.trace();
        QVERIFY(trace.steps.empty());
        QCOMPARE(trace.output, trace.roots[1]);
    }

    void takesAnInputApartItemByItem()
    {
        TracedProgram traced(withTreeSpec(
            "x = input; s = attr none; l = " + kFlatten + "(x, s); i = _operator.getitem(l, 1); return i", kDictTree));
        const Trace trace = traced.trace();
        const std::vector<Step> steps = stepsOf(traced, trace, "l");
        QCOMPARE(steps.size(), std::size_t(2));
        QCOMPARE(steps[0].role, CallRole::getItem);
        QVERIFY(traced.terms.textOf(trace.values[trace.at(steps[0].arguments)[1].index()].term) == intern("a"));
        QVERIFY(traced.terms.textOf(trace.values[trace.at(steps[1].arguments)[1].index()].term) == intern("b"));
        QCOMPARE(trace.output, steps[1].result);
    }

    void leavesWhatDoesNotFitTheSpecToTheCall()
    {
        TracedProgram traced(withTreeSpec("x = input; s = attr none; l = " + kFlatten + "((x, x, x), s); return l", kTupleTree));
        const Trace trace = traced.trace();
        QCOMPARE(stepsOf(traced, trace, "l").size(), std::size_t(1));
        QCOMPARE(trace.values[trace.output.index()].kind, ValueKind::leaf);
    }

    void putsADictTogether()
    {
        TracedProgram traced(withTreeSpec("x = input; y = input; s = attr none; t = " + kUnflatten
                                              + "([x, y], s); i = _operator.getitem(t, \"b\"); return i",
                                          kDictTree));
        const Trace trace = traced.trace();
        QVERIFY(trace.steps.empty());
        QCOMPARE(trace.output, trace.roots[1]);
    }

    void putsNothingTogetherOfTooManyOrTooFewLeaves()
    {
        for (const std::string leaves : {"[x]", "[x, x, x]"}) {
            TracedProgram traced(
                withTreeSpec("x = input; s = attr none; t = " + kUnflatten + "(" + leaves + ", s); return t", kTupleTree));
            const Trace trace = traced.trace();
            QCOMPARE(stepsOf(traced, trace, "t").size(), std::size_t(1));
        }
    }

    void knowsNoSpecOfAClassOfSomebodys()
    {
        TracedProgram traced(withTreeSpec("x = input; s = attr none; t = " + kUnflatten + "([x, x], s); return t",
                                          treeNode("\"m.Own\"", "\"null\"", kTreePair)));
        const Trace trace = traced.trace();
        QCOMPARE(stepsOf(traced, trace, "t").size(), std::size_t(1));
    }
};

const test::Registered<TraceTreesTest> traceTreesTest("trace_trees_test");
#include "trace_trees_test.moc"
