#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "analysis/training/backward_tags.h"
#include "analysis/training/training_graph.h"

#include "test_case.h"
#include "training_program.h"

#include <QTest>

#include <random>

using namespace sunder;

namespace {

/// "bw_h1 → h1", one entry per backward call.
QStringList belonging(const Program& program)
{
    const TrainingGraph training = trainingGraph(program);
    const Graph& graph = program.rootGraph();
    QStringList found;
    for (const NodeId id : graph.nodes())
        if (training.isBackwardCall(id))
            found << QString::fromStdString(graph[id].name.str() + " → " + graph[training.forwardOf[id.index()]].name.str());
    return found;
}

/// "stage0: h0 r0 a0", one entry per tag, calls only.
QStringList inTags(const Program& program, const TagAssignment& tags)
{
    QStringList found;
    for (std::size_t tag = 0; tag < tags.order.size(); ++tag) {
        QString line = QString::fromStdString(tags.order[tag].str()) + ':';
        for (const NodeId id : program.rootGraph().nodes())
            if (tags[id] == static_cast<std::int32_t>(tag) && program.rootGraph()[id].isCall())
                line += ' ' + QString::fromStdString(program.rootGraph()[id].name.str());
        found << line;
    }
    return found;
}

TagAssignment tagged(const Program& program, std::vector<std::string> order,
                     const std::vector<std::pair<std::string, std::string>>& pairs)
{
    std::vector<InternedString> names;
    for (const std::string& tag : order)
        names.push_back(intern(tag));
    std::vector<TagPair> interned;
    for (const auto& [node, tag] : pairs)
        interned.emplace_back(intern(node), intern(tag));
    return assignTags(program.rootGraph(), std::move(names), interned);
}

/// A random forward pass with its backward pass in the order of the autograd engine: last recorded, first run.
class RandomTraining {
public:
    RandomTraining(unsigned seed, int calls) : m_random(seed), m_graph(m_program.graph(m_program.addGraph(ModuleTree::root())))
    {
        m_program.signature.emplace();
        for (int i = 0; i < calls; ++i)
            addForward(i);
        std::map<NodeId, NodeId> gradient;
        gradient[m_calls.back()] = add("full_like", {m_calls.back()});
        for (std::size_t i = m_calls.size(); i-- > 0;)
            if (gradient.contains(m_calls[i]))
                addBackward(m_calls[i], gradient);
        Arguments results = {Argument::node(m_calls.back())};
        m_program.signature->outputs.push_back({.kind = OutputKind::loss, .value = results.front()});
        for (const auto& [parameter, of] : m_parameters)
            if (gradient.contains(parameter)) {
                results.push_back(Argument::node(gradient[parameter]));
                m_program.signature->outputs.push_back(
                    {.kind = OutputKind::gradient, .target = of, .name = m_graph[gradient[parameter]].name});
            }
        m_graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    }

    [[nodiscard]] const Program& program() const { return m_program; }
    [[nodiscard]] const std::map<NodeId, NodeId>& truth() const { return m_truth; }

private:
    NodeId add(const std::string& what, const std::vector<NodeId>& read)
    {
        NodeSpec spec{.op = Op::callFunction, .name = {}, .target = intern("torch.ops.test." + what)};
        for (const NodeId id : read)
            spec.args.push_back(Argument::node(id));
        return m_graph.create(std::move(spec));
    }

    void addForward(int i)
    {
        std::vector<NodeId> read;
        if (m_calls.empty() || m_random() % 3 == 0) {
            const InternedString fqn = intern("m" + std::to_string(i) + ".weight");
            const NodeId parameter = m_graph.insert(
                {.op = Op::placeholder, .name = intern("p" + std::to_string(i)), .target = intern("p" + std::to_string(i))});
            if (!m_calls.empty())
                m_graph.moveBefore(parameter, m_calls.front());
            // Placeholders are in signature order.
            m_parameters.emplace_back(parameter, fqn);
            read.push_back(parameter);
        }
        if (!m_calls.empty())
            read.push_back(m_calls.back());
        if (m_calls.size() > 2 && m_random() % 2 == 0)
            read.push_back(m_calls[m_random() % m_calls.size()]);
        m_calls.push_back(add("op", read));
        m_program.signature->inputs.clear();
        for (const auto& [parameter, fqn] : m_parameters)
            m_program.signature->inputs.push_back({.kind = InputKind::parameter, .target = fqn, .name = m_graph[parameter].name});
    }

    /// Each gradient of an input reads the gradient of the result and one or no saved value: another input or the result.
    void addBackward(NodeId call, std::map<NodeId, NodeId>& gradient)
    {
        const auto inputs = m_graph.inputs(call);
        const std::vector<NodeId> read(inputs.begin(), inputs.end());
        for (const NodeId input : read) {
            std::vector<NodeId> needs = {gradient[call]};
            if (m_random() % 3 != 0)
                needs.push_back(m_random() % 2 == 0 ? call : read[m_random() % read.size()]);
            NodeId made = add("backward", needs);
            m_truth[made] = call;
            if (gradient.contains(input)) {
                made = add("sum", {gradient[input], made});
                m_truth[made] = call;
            }
            gradient[input] = made;
        }
    }

    std::mt19937 m_random;
    Program m_program;
    Graph& m_graph;
    std::vector<NodeId> m_calls;
    std::vector<std::pair<NodeId, InternedString>> m_parameters;
    std::map<NodeId, NodeId> m_truth;
};

} // namespace

class TrainingGraphTest final : public QObject {
    Q_OBJECT

private slots:
    void eachBackwardCallBelongsToAForwardCall()
    {
        QCOMPARE(belonging(test::trainingProgram()),
                 (QStringList{"bw_loss → loss", "bw_loss_1 → h2", "bw_h2 → h2", "bw_h2_1 → h2", "bw_r1 → a1", "bw_h1 → h1",
                              "bw_h1_1 → h1", "bw_r0 → a0", "bw_h0 → h0"}));
    }

    void sequenceNumbersCountMoreThanWhatIsShared()
    {
        Program program = test::trainingProgram();
        Graph& graph = program.rootGraph();
        const auto say = [&](const char* node, const char* what) { graph.meta(graph.find(intern(node))).json = intern(what); };
        say("h1", R"({"seq_nr":7})");
        say("r1", R"({"seq_nr":8})");
        say("bw_h2", R"({"seq_nr":8,"partitioner_tag":"is_backward"})"); // not h2's, with which it shares w2
        say("bw_r1", R"({"custom":{"seq_nr":1},"autograd_backward":true,"seq_nr":"7"})");
        const TrainingGraph training = trainingGraph(program);
        QCOMPARE(training.bySequence, std::size_t{2});
        QCOMPARE(graph[training.forwardOf[graph.find(intern("bw_h2")).index()]].name.str(), std::string("r1"));
        QCOMPARE(graph[training.forwardOf[graph.find(intern("bw_r1")).index()]].name.str(), std::string("h1"));
        QVERIFY(!training.isBackwardCall(graph.find(intern("bw_loss")))); // it has no annotation, and no earlier node has one
    }

    void moduleStacksTellWhereSequenceNumbersAreMissing()
    {
        const Program program = test::programFromText(R"(
            primals_1 = placeholder()
            tangents_1 = placeholder()
            a = relu(primals_1) @ first Layer
            b = relu(a) @ second Layer
            c = add(a, b)
            d = mul(tangents_1, c) @ second Layer
            e = mul(d, a) @ first Layer
            out = output(c, e))");
        QCOMPARE(belonging(program), (QStringList{"d → b", "e → a"}));
    }

    void aProgramWithoutGradientsHasNoBackwardPass()
    {
        Program program = test::trainingProgram();
        for (OutputSpec& spec : program.signature->outputs)
            spec.kind = OutputKind::user;
        const TrainingGraph training = trainingGraph(program);
        QVERIFY(!training.isTraining());
        const TagAssignment tags = *consecutiveStages(program, 2);
        QCOMPARE(tags.order, (std::vector{intern("stage0"), intern("stage1")}));
    }

    void stagesHaveAForwardAndABackwardPart()
    {
        const Program program = test::trainingProgram();
        const TagAssignment tags = *consecutiveStages(program, 3);
        QCOMPARE(inTags(program, tags),
                 (QStringList{"stage0: h0 r0 a0", "stage1: h1 r1 a1", "stage2: h2 loss",
                              "stage2_backward: bw_loss bw_loss_1 bw_h2 bw_h2_1", "stage1_backward: bw_r1 bw_h1 bw_h1_1",
                              "stage0_backward: bw_r0 bw_h0"}));
        QVERIFY(checkTags(program, tags).isLegal());
        QCOMPARE(consecutiveStages(program, 2, StageMeasure::nodes, BackwardTags::apart)->order.size(), std::size_t{2});
    }

    void tagsThatAreRenamedOrMergedTakeTheirBackwardCallsAlong()
    {
        const Program program = test::trainingProgram();
        const Graph& graph = program.rootGraph();
        const TrainingGraph training = trainingGraph(program);
        TagAssignment tags = *consecutiveStages(program, 3);
        QVERIFY(backwardFollows(graph, training, tags));
        tags.order[1] = intern("middle");
        QVERIFY(!backwardFollows(graph, training, tags));
        tags = withBackwardFollowing(graph, training, tags);
        QCOMPARE(tags.order,
                 (std::vector{intern("stage0"), intern("middle"), intern("stage2"), intern("stage2_backward"),
                              intern("middle_backward"), intern("stage0_backward")}));
        QCOMPARE(forwardTags(tags.order), (std::vector<std::int32_t>{-1, -1, -1, 2, 1, 0}));
        QVERIFY(backwardFollows(graph, training, tags));
    }

    void whatHasNoTagHasNoneInTheBackwardPass()
    {
        const Program program = test::trainingProgram();
        const TagAssignment tags = withBackwardFollowing(program.rootGraph(), trainingGraph(program),
                                                         tagged(program, {"a"}, {{"h0", "a"}, {"bw_h2", "a"}}));
        QCOMPARE(inTags(program, tags), (QStringList{"a: h0", "a_backward: bw_h0"}));
    }

    void forwardProgramsHaveNoBackwardCalls()
    {
        const Program program = test::trainingProgram();
        const Program forward = forwardProgram(program, trainingGraph(program));
        QStringList found;
        for (const NodeId id : forward.rootGraph().nodes())
            if (const Node& node = forward.rootGraph()[id]; node.isCall())
                found << QString::fromStdString(node.name.str());
        QCOMPARE(found, (QStringList{"h0", "r0", "a0", "h1", "r1", "a1", "h2", "loss"}));
        QCOMPARE(forward.signature->outputs.size(), std::size_t{1});
    }

    void noBackwardCallIsPutBeforeTheCallThatItBelongsTo()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const RandomTraining made(seed, 12);
            const Graph& graph = made.program().rootGraph();
            const TrainingGraph training = trainingGraph(made.program());
            const std::vector<std::uint32_t> place = graph.positions();
            QCOMPARE(training.backwardCalls, made.truth().size() + 1);
            for (const auto& [backward, forward] : made.truth())
                QVERIFY2(place[training.forwardOf[backward.index()].index()] >= place[forward.index()],
                         qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (const std::uint32_t stages : {2U, 3U, 5U}) {
                const TagAssignment tags = *consecutiveStages(made.program(), stages, StageMeasure::nodes);
                QVERIFY(checkTags(made.program(), tags).isLegal());
                std::int32_t last = 0;
                for (const NodeId id : graph.nodes())
                    if (graph[id].isCall()) {
                        QVERIFY(tags[id] >= last); // stages follow each other in execution order
                        last = tags[id];
                    }
            }
        }
    }

    void legalForwardTagsGiveLegalTagsOfBoth()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const RandomTraining made(seed, 14);
            const Graph& graph = made.program().rootGraph();
            const TrainingGraph training = trainingGraph(made.program());
            std::mt19937 random(seed);
            TagAssignment tags{.order = {intern("a"), intern("b"), intern("c"), intern("d")},
                               .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
            for (const NodeId id : graph.nodes())
                if (graph[id].isCall() && !training.isBackwardCall(id)) {
                    std::int32_t tag = static_cast<std::int32_t>(random() % 4);
                    for (const NodeId input : graph.inputs(id))
                        tag = std::max(tag, tags[input]);
                    tags.tagOf[id.index()] = tag;
                }
            QVERIFY(checkTags(made.program(), withBackwardFollowing(graph, training, tags)).isLegal());
        }
    }
};

const test::Registered<TrainingGraphTest> trainingGraphTest("training_graph_test");
#include "training_graph_test.moc"
