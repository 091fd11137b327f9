#include "verify/traced_arguments.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::shareMemory;
using sunder::test::TracedProgram;
using sunder::test::undecidedWhy;

namespace {

constexpr const char* kLeafSpec = "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]";

Argument treeSpecOf(const std::string& text)
{
    return Argument::opaque(intern(text), intern("torch.utils._pytree.TreeSpec"));
}

/// Replaces the target of node "s", normally a tensor name, by `target`.
Program readsOther(std::string_view text, const char* target, const std::optional<Argument>& val = {})
{
    Program program = test::ProgramText::program(text);
    Graph& graph = program.rootGraph();
    const NodeId node = graph.find(intern("s"));
    graph.setTarget(node, intern(target), {});
    graph.meta(node).val = val;
    return program;
}

/// The value read by node "s".
ValueId readByS(TracedProgram& traced, TracedAttributes& attributes)
{
    TraceFrame frame = traced.frame();
    return attributes.attribute(frame, traced.id("s"));
}

} // namespace

/// Contents of modules as values of a trace.
class TracedAttributesTest final : public QObject {
    Q_OBJECT
private slots:
    void readsATensorAsOneValueHoweverOften()
    {
        TracedProgram traced("a = attr w; b = attr w; c = attr v; u = aten.add_.Tensor(a, 1); return (a, b, c)");
        Trace trace = traced.trace();
        QCOMPARE(trace.roots.size(), std::size_t(2));
        const std::span<const ValueId> items = trace.items(trace.values[trace.output.index()]);
        QCOMPARE(items[0], items[1]);
        QVERIFY(items[0] != items[2]);
        QVERIFY(!shareMemory(trace, items[0], items[2]));
    }

    void putsTensorsOfOneStorageInOneMemory()
    {
        Program program = test::ProgramText::program("a = attr w; c = attr v; u = aten.add_.Tensor(a, 1); return (a, c)");
        TensorTable& tensors = program.tensors;
        tensors[tensors.find(intern("v"))].storage = tensors[tensors.find(intern("w"))].storage;
        tensors[tensors.find(intern("v"))].meta.storage = tensors[tensors.find(intern("w"))].meta.storage;
        TracedProgram traced(std::move(program));
        Trace trace = traced.trace();
        QVERIFY(trace.roots[0] != trace.roots[1]);
        QVERIFY(shareMemory(trace, trace.roots[0], trace.roots[1]));
        QVERIFY(!trace.unknownMemory);
    }

    void readsGraphsAndLeafModules()
    {
        TracedProgram graph("graph body; a = input; return a; end; s = attr body; return s");
        TracedAttributes ofGraph(graph.draft);
        const Value read = graph.draft.at(readByS(graph, ofGraph));
        QCOMPARE(read.kind, ValueKind::graph);
        QCOMPARE(read.module, graph.program.modules.find(intern("body")));
        Program program = readsOther("s = attr none; return s", "m");
        program.modules[program.modules.ensure("m")].cls = intern("torch.nn.modules.linear.Linear");
        TracedProgram leaf(std::move(program));
        TracedAttributes ofLeaf(leaf.draft);
        const Value module = leaf.draft.at(readByS(leaf, ofLeaf));
        QCOMPARE(module.kind, ValueKind::leaf);
        QCOMPARE(leaf.draft.termOf(module).kind, TermKind::module);
        QVERIFY(ofLeaf.findModule(ModuleTree::root(), intern("m")).isValid());
        QVERIFY(!ofLeaf.findModule(ModuleTree::root(), intern("n")).isValid());
    }

    void readsTreeSpecs()
    {
        TracedProgram traced(readsOther("s = attr none; return s", "tree", treeSpecOf(kLeafSpec)));
        TracedAttributes attributes(traced.draft);
        const ValueId read = readByS(traced, attributes);
        QCOMPARE(traced.draft.at(read).kind, ValueKind::constant);
        QVERIFY(attributes.treeSpec(read) != nullptr);
        QVERIFY(attributes.treeSpec(traced.number(1)) == nullptr);
        QVERIFY(attributes.treeSpec(ValueId()) == nullptr);
    }

    void knowsNoTreeSpecThatIsDamagedOrOfAClassOfSomebodys()
    {
        const std::string leaf = std::string(kLeafSpec).substr(4, std::string(kLeafSpec).size() - 5);
        const std::string own = "[1, {\"type\": \"m.Own\", \"context\": \"null\", \"children_spec\": [" + leaf + "]}]";
        for (const std::string& text : {std::string("[1, {"), own}) {
            TracedProgram traced(readsOther("s = attr none; return s", "tree", treeSpecOf(text)));
            TracedAttributes attributes(traced.draft);
            QVERIFY(attributes.treeSpec(readByS(traced, attributes)) == nullptr);
        }
    }

    void readsOtherAttributesByName()
    {
        TracedProgram traced(readsOther("s = attr none; return s", "scale"));
        TracedAttributes attributes(traced.draft);
        const Value read = traced.draft.at(readByS(traced, attributes));
        QCOMPARE(read.kind, ValueKind::leaf);
        QCOMPARE(traced.draft.termOf(read).kind, TermKind::attribute);
        QVERIFY(traced.terms.textOf(read.term) == intern("scale"));
    }

    void givesUpOnNamesThatTwoTensorsHave()
    {
        Program program = test::ProgramText::program("s = attr w; return s");
        TensorEntry other = program.tensors[TensorId(0U)];
        other.storage = program.tensors.addStorage({.id = intern("elsewhere"), .byteCount = 16});
        program.tensors.add(std::move(other));
        TracedProgram traced(std::move(program));
        QCOMPARE(undecidedWhy(traced.trace()), "two tensors are named w");
    }
};

const test::Registered<TracedAttributesTest> tracedAttributesTest("traced_attributes_test");
#include "traced_attributes_test.moc"
