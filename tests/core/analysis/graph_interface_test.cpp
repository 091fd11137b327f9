#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/graph_interface.h"
#include "analysis/cut/part_assignment.h"
#include "analysis/partition_dag.h"
#include "parameter_chain.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// a, b | c | d
SplitResult splitChain()
{
    const Program made = test::parameterChain();
    std::vector<TagPair> pairs;
    for (const auto& [name, tag] : {std::pair{"a", "p0"}, {"b", "p0"}, {"c", "p1"}, {"d", "p2"}})
        pairs.emplace_back(intern(name), intern(tag));
    return splitByTags(made, assignTags(made.rootGraph(), {intern("p0"), intern("p1"), intern("p2")}, pairs)).value();
}

std::string namesOf(const Graph& graph, const std::vector<Port>& ports)
{
    std::string names;
    for (const Port& port : ports)
        names += (names.empty() ? "" : " ") + graph[port.node].name.str();
    return names;
}

const Graph& graphOf(const SplitResult& split, std::size_t part)
{
    return split.program.graph(split.parts[part]);
}

GraphInterface interfaceOf(const SplitResult& split, std::size_t part)
{
    return graphInterface(split.program, split.parts[part], split.partNames);
}

} // namespace

class GraphInterfaceTest final : public QObject {
    Q_OBJECT

private slots:
    void saysWhereInputsComeFrom()
    {
        const SplitResult split = splitChain();
        const GraphInterface first = interfaceOf(split, 0);
        QCOMPARE(namesOf(graphOf(split, 0), first.inputs), std::string("x"));
        QCOMPARE(first.inputs[0].from, Port::kProgram);
        QCOMPARE(first.inputs[0].bytes, std::uint64_t(40));
        const GraphInterface second = interfaceOf(split, 1);
        QCOMPARE(namesOf(graphOf(split, 1), second.inputs), std::string("b"));
        QCOMPARE(second.inputs[0].from, 0);
    }

    void saysWhereOutputsGo()
    {
        const SplitResult split = splitChain();
        const GraphInterface first = interfaceOf(split, 0);
        QCOMPARE(first.outputs.size(), std::size_t(1));
        QCOMPARE(first.outputs[0].to, std::vector<std::int32_t>{1});
        QVERIFY(!first.outputs[0].toProgram);
        const GraphInterface last = interfaceOf(split, 2);
        QCOMPARE(namesOf(graphOf(split, 2), last.outputs), std::string("d"));
        QVERIFY(last.outputs[0].toProgram);
        QVERIFY(last.outputs[0].to.empty());
        QCOMPARE(last.outputs[0].bytes, std::uint64_t(20));
    }

    void listsWeightsApartFromValues()
    {
        const SplitResult split = splitChain();
        const GraphInterface first = interfaceOf(split, 0);
        QCOMPARE(first.weights.size(), std::size_t(1));
        QCOMPARE(first.weightBytes, std::uint64_t(400));
        QVERIFY(first.weights[0].node.isValid());
        QCOMPARE(interfaceOf(split, 1).weightBytes, std::uint64_t(480)); // a parameter that both read counts in both
        QVERIFY(interfaceOf(split, 2).weights.empty());
    }

    void showsTheProgramsOwnInterfaceAtTheRoot()
    {
        const SplitResult split = splitChain();
        const GraphInterface all = graphInterface(split.program, split.program.root, split.partNames);
        QCOMPARE(namesOf(split.program.rootGraph(), all.inputs), std::string("x"));
        QCOMPARE(all.inputs[0].to, std::vector<std::int32_t>{0});
        QCOMPARE(all.outputs.size(), std::size_t(1));
        QCOMPARE(all.outputs[0].from, 2);
    }

    void tellsLiteralsFromValues()
    {
        Program program = test::programFromText("w = placeholder() : 4\nx = placeholder() : 2x3\nflag = placeholder()\n"
                                                "y = op(x, w) : 2x3\noutput(y)\n");
        const Graph& graph = program.rootGraph();
        program.signature.emplace();
        program.signature->inputs = {{.kind = InputKind::parameter, .target = intern("w"), .name = intern("w")},
                                     {.kind = InputKind::user, .value = Argument::node(graph.find(intern("x")))},
                                     {.kind = InputKind::user, .value = Argument()}};
        const std::vector<Port> inputs = graphInterface(program, program.root).inputs;
        QCOMPARE(inputs.size(), std::size_t{2});
        QCOMPARE(namesOf(graph, inputs), std::string("x flag"));
        QCOMPARE(describeType(inputs[0], graph), std::string("f32[2, 3]"));
        QVERIFY(!inputs[0].literal);
        QCOMPARE(describeType(inputs[1], graph), std::string("None"));
        QVERIFY(inputs[1].literal.has_value());
    }

    void saysWhatOutputsAre()
    {
        Program program = test::programFromText("x = placeholder() : 4\ny = op(x) : 4\nz = op(y) : 4\noutput(y, z, 5)\n");
        program.signature.emplace();
        program.signature->outputs = {{.kind = OutputKind::bufferMutation, .target = intern("bn.mean")},
                                      {.kind = OutputKind::gradient, .target = intern("fc.weight")},
                                      {.kind = OutputKind::user}};
        const Graph& graph = program.rootGraph();
        const std::vector<Port> outputs = graphInterface(program, program.root).outputs;
        QCOMPARE(outputs.size(), std::size_t{3});
        QCOMPARE(describeRole(outputs[0]), std::string("new value of buffer bn.mean"));
        QCOMPARE(graph[outputs[0].node].name.str(), std::string("y"));
        QCOMPARE(describeRole(outputs[1]), std::string("gradient of fc.weight"));
        QCOMPARE(describeType(outputs[2], graph), std::string("5"));
        QCOMPARE(outputKindName(outputs[2].outputKind), std::string_view("user"));
    }

    void aPartHasThePortsThatTheCutSays()
    {
        const Program source = test::parameterChain();
        const SplitResult split = splitChain();
        const CutMetrics metrics = cutMetrics(source, partAssignment(source, split.program, split.map));
        for (std::size_t part = 0; part < split.parts.size(); ++part) {
            const GraphInterface ofTags = metrics.parts[part].interface;
            const GraphInterface ofSplit = interfaceOf(split, part);
            QCOMPARE(namesOf(source.rootGraph(), ofTags.inputs), namesOf(graphOf(split, part), ofSplit.inputs));
            QCOMPARE(ofTags.outputs.size(), ofSplit.outputs.size());
            for (std::size_t i = 0; i < ofTags.inputs.size(); ++i)
                QCOMPARE(ofTags.inputs[i].from, ofSplit.inputs[i].from);
            for (std::size_t i = 0; i < ofTags.outputs.size(); ++i) {
                QCOMPARE(ofTags.outputs[i].to, ofSplit.outputs[i].to);
                QCOMPARE(ofTags.outputs[i].bytes, ofSplit.outputs[i].bytes);
                QCOMPARE(ofTags.outputs[i].toProgram, ofSplit.outputs[i].toProgram);
            }
        }
    }

    /// The boundary listed such a value only in the sizes, not among the outputs.
    void aValueThatOnlyUntaggedOpsUseLeavesThePart()
    {
        const Program program = test::programFromText("x = placeholder() : 10\na = f(x) : 20\nb = f(a) : 5\noutput(b)\n");
        TagAssignment tags{.order = {intern("p0")}, .tagOf = {}};
        tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
        tags.tagOf[program.rootGraph().find(intern("a")).index()] = 0;
        const CutMetrics metrics = cutMetrics(program, tags);
        QCOMPARE(metrics.parts[0].sizes.outputBytes, std::uint64_t{80});
        QCOMPARE(metrics.parts[0].interface.outputs.size(), std::size_t{1});
        QVERIFY(metrics.parts[0].interface.outputs[0].toUntagged);
        QVERIFY(metrics.parts[0].interface.outputs[0].to.empty());
        QVERIFY(metrics.cutEdges.empty());
    }

    void anItemOfAKnownTupleHasItsSize()
    {
        Program program = test::programFromText("x = placeholder() : 30\np = f(x)\ni = getitem(p, 1)\noutput(i)\n");
        Graph& graph = program.rootGraph();
        const Argument val = *graph[graph.find(intern("x"))].meta.val;
        graph.meta(graph.find(intern("p"))).val = Argument::tuple({val, val});
        graph.setTarget(graph.find(intern("i")), intern("_operator.getitem"), {});
        const GraphInterface interface = graphInterface(program, program.root);
        QVERIFY(interface.outputs[0].isKnown);
        QCOMPARE(interface.outputs[0].bytes, std::uint64_t{120});
    }

    /// Such weights are no tensors below the path of the part. The record of a split left them out, unlike that of a partitioner.
    void theRecordOfAPartCountsWeightsPassedIn()
    {
        Program program = test::programFromText("w = placeholder() : 100\nx = placeholder() : 10\na = add(x, w) : 10\n"
                                                "b = relu(a) : 10\noutput(b)\n");
        const Graph& graph = program.rootGraph();
        test::addTensor(program, "m.w", 100);
        program.signature.emplace();
        program.signature->inputs = {{.kind = InputKind::parameter, .target = intern("m.w"), .name = intern("w")},
                                     {.kind = InputKind::user, .value = Argument::node(graph.find(intern("x")))}};
        program.signature->outputs = {{.kind = OutputKind::user, .value = Argument::node(graph.find(intern("b")))}};
        const std::vector<TagPair> pairs = {{intern("a"), intern("p")}, {intern("b"), intern("q")}};
        const SplitResult split = splitByTags(program, assignTags(graph, {intern("p"), intern("q")}, pairs)).value();
        const std::vector<PartitionDagNode> dag = partitionDag(split.program);
        QCOMPARE(dag.size(), std::size_t{2});
        QCOMPARE(dag[0].usedBytes, std::uint64_t{400 + 40});
        QCOMPARE(dag[1].usedBytes, std::uint64_t{40});
    }
};

const test::Registered<GraphInterfaceTest> graphInterfaceTest("graph_interface_test");
#include "graph_interface_test.moc"
