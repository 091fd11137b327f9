#include "analysis/training/training_modules.h"

#include "analysis/training/training_graph.h"
#include "io/fx_json/fx_json_writer.h"
#include "test_case.h"
#include "test_support.h"
#include "training_program.h"

#include <QTest>

#include <algorithm>
#include <sstream>

using namespace sunder;

namespace {

/// "h0 layers.0", one entry per call; "r0" alone if the module is unknown.
QStringList modulesOf(const Program& program)
{
    QStringList found;
    for (const NodeId id : program.rootGraph().nodes())
        if (const Node& node = program.rootGraph()[id]; node.isCall()) {
            const ModuleStack& stack = program.stackOf(node);
            found << QString::fromStdString(node.name.str() + (stack.empty() ? "" : ' ' + stack.back().path.str()));
        }
    return found;
}

/// Returns a joint program in which placeholders named like a parameter are that parameter: `layers_0_weight`.
Program joint(const std::string& text)
{
    Program program = test::programFromText(text);
    Graph& graph = program.rootGraph();
    const Arguments results = graph[graph.output()].args;
    graph.setArguments(graph.output(), {Argument::tuple(results)}, {});
    program.signature.emplace();
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op != Op::placeholder)
            continue;
        std::string fqn = graph[id].name.str();
        const bool isParameter = fqn.ends_with("_weight") || fqn.ends_with("_bias");
        for (char& c : fqn)
            c = c == '_' ? '.' : c;
        if (isParameter) {
            program.tensors.add({.fqn = intern(fqn), .persistent = true});
            program.signature->inputs.push_back({.kind = InputKind::parameter, .target = intern(fqn), .name = graph[id].name});
        } else {
            program.signature->inputs.push_back({.kind = InputKind::user, .value = Argument::node(id)});
        }
    }
    program.signature->outputs.push_back({.kind = OutputKind::loss, .value = results.front()});
    for (std::size_t i = 1; i < results.size(); ++i)
        program.signature->outputs.push_back({.kind = OutputKind::gradient, .name = graph[results[i].asNode()].name});
    return program;
}

} // namespace

class TrainingModulesTest final : public QObject {
    Q_OBJECT

private slots:
    void weightsSayWhereForwardCallsRunAndTheseWhereBackwardCallsDo()
    {
        Program program = test::trainingProgram();
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        QCOMPARE(modulesOf(program),
                 (QStringList{"h0 layers.0", "r0", "a0", "h1 layers.1", "r1", "a1", "h2 layers.2", "loss", "bw_loss", "bw_loss_1",
                              "bw_h2 layers.2", "bw_h2_1 layers.2", "bw_r1", "bw_h1 layers.1", "bw_h1_1 layers.1", "bw_r0",
                              "bw_h0 layers.0"}));
        const Graph& graph = program.rootGraph();
        QCOMPARE(program.stackOf(graph[graph.find(intern("h0"))]).placedBy, PlacedBy::weights);
        QCOMPARE(program.stackOf(graph[graph.find(intern("bw_h0"))]).placedBy, PlacedBy::forwardCall);
    }

    void aWeightOfTwoReadersSaysNothingOfBackwardCalls()
    {
        Program program = joint(R"(
            x = placeholder()
            a_l_weight = placeholder()
            b_l_weight = placeholder()
            m = mm(x, a_l_weight)
            n = mm(m, b_l_weight)
            o = mm(n, a_l_weight)
            loss = sum(o)
            g = full_like(loss)
            bw_o = mm(g, a_l_weight)
            bw_n = mm(bw_o, b_l_weight)
            bw_m = mm(bw_n, a_l_weight)
            out = output(loss, bw_m))");
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        QCOMPARE(modulesOf(program), (QStringList{"m a.l", "n b.l", "o", "loss", "g", "bw_o", "bw_n b.l", "bw_m"}));
    }

    void betweenTwoCallsIsWhatRunsAroundBoth()
    {
        Program program = joint(R"(
            x = placeholder()
            a_norm_weight = placeholder()
            a_out_weight = placeholder()
            b_norms_0_weight = placeholder()
            b_norms_1_weight = placeholder()
            p = mul(x, x)
            q = norm(p, a_norm_weight)
            r = relu(q)
            s = linear(r, a_out_weight)
            t = relu(s)
            u = norm(t, b_norms_0_weight)
            v = relu(u)
            w = norm(v, b_norms_1_weight)
            loss = sum(w)
            g = full_like(loss)
            out = output(loss, g))");
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        // b.norms may be a list, and lists are not called, so v is assigned to b.
        QCOMPARE(modulesOf(program).mid(0, 8),
                 (QStringList{"p", "q a.norm", "r a", "s a.out", "t", "u b.norms.0", "v b", "w b.norms.1"}));
    }

    void whatIsMadeOfWeightsAloneSaysItToo()
    {
        Program program = joint(R"(
            x = placeholder()
            a_l_weight = placeholder()
            b_l_weight = placeholder()
            n = neg(x)
            at = permute(a_l_weight)
            m = mm(n, at)
            bt = permute(b_l_weight)
            o = mm(m, bt)
            again = mm(o, at)
            c = cat(a_l_weight, b_l_weight)
            loss = sum(again, c)
            g = full_like(loss)
            out = output(loss, g))");
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        QCOMPARE(modulesOf(program).mid(0, 7), (QStringList{"n", "at a.l", "m a.l", "bt b.l", "o b.l", "again", "c"}));
    }

    void pathsThatAreTooDeepSayNothing()
    {
        const auto modules = [](std::size_t depth) {
            Program program = test::trainingProgram();
            std::string fqn = "layers.0";
            while (static_cast<std::size_t>(std::ranges::count(fqn, '.')) < depth)
                fqn += ".a";
            program.tensors.add({.fqn = intern(fqn), .persistent = true});
            program.signature->inputs[0].target = intern(fqn);
            static_cast<void>(placeTrainingModules(program, ProgressMonitor::none()));
            return modulesOf(program).first();
        };
        QVERIFY(modules(50).startsWith("h0 layers.0.a"));
        QCOMPARE(modules(51), QString("h0"));
    }

    void modulesThatAFileStatesStay()
    {
        Program program = test::programFromText(R"(
            primals_1 = placeholder()
            tangents_1 = placeholder()
            a = relu(primals_1) @ first Layer
            b = relu(a) @ second Layer
            c = neg(b) @ third Layer
            d = mul(tangents_1, c)
            e = mul(d, a) @ second Layer
            out = output(c, e))");
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        QCOMPARE(modulesOf(program), (QStringList{"a first", "b second", "c third", "d third", "e second"}));
    }

    void programsOfOnePassStayAsTheyAre()
    {
        Program program = test::trainingProgram();
        for (OutputSpec& spec : program.signature->outputs)
            spec.kind = OutputKind::user;
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        QVERIFY(program.stacks.empty());
    }

    void whatIsInferredChangesNeitherWhatIsWrittenNorWhatFollows()
    {
        const Program before = test::trainingProgram();
        Program placed = before;
        QVERIFY(placeTrainingModules(placed, ProgressMonitor::none()).has_value());
        std::ostringstream as;
        std::ostringstream was;
        writeFxJson(placed, as);
        writeFxJson(before, was);
        QCOMPARE(as.str(), was.str());
        QCOMPARE(trainingGraph(placed).forwardOf, trainingGraph(before).forwardOf);
    }
};

const test::Registered<TrainingModulesTest> trainingModulesTest("training_modules_test");
#include "training_modules_test.moc"
