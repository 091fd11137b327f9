#include "operators/module_facts.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

const char* const kReLU = "torch.nn.modules.activation.ReLU";
const char* const kBatchNorm = "torch.nn.modules.batchnorm.BatchNorm1d";
const char* const kDropout = "torch.nn.modules.dropout.Dropout";

using Attributes = std::vector<std::pair<const char*, Argument>>;

/// Returns a program whose only call is of a module at "m" with these tensors.
Program programWith(const char* cls, std::optional<Attributes> attributes, std::vector<const char*> tensors = {})
{
    Program program = test::programFromText(R"(
        x = placeholder()
        y = call_module[m](x)
        out = output(y))");
    Module& module = program.modules[program.modules.ensure("m")];
    module.cls = intern(cls);
    module.leaf = true;
    if (attributes) {
        module.attributes.emplace();
        for (const auto& [name, value] : *attributes)
            module.attributes->push_back({intern(name), value});
    }
    for (const char* tensor : tensors)
        program.tensors.add({.fqn = intern(std::string("m.") + tensor), .role = TensorRole::buffer, .persistent = true});
    return program;
}

ModuleCallFacts factsIn(const Program& program, MissingAttribute missing = MissingAttribute::unknown)
{
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callModule)
            return ModuleFacts(program).of(program.modules.resolve("m"), NodeArguments(graph[id]), missing);
    qFatal("no call of a module");
}

const Argument kOn = Argument::boolean(true);
const Argument kOff = Argument::boolean(false);

} // namespace

class ModuleFactsTest final : public QObject {
    Q_OBJECT
private slots:
    void writesInPlaceAsTheFieldSays()
    {
        const ModuleCallFacts inPlace = factsIn(programWith(kReLU, Attributes{{"inplace", kOn}, {"training", kOn}}));
        QCOMPARE(inPlace.call.written, std::vector<std::uint32_t>{0});
        QVERIFY(inPlace.call.result == ResultMemory::is);
        QVERIFY(!inPlace.assumesAttributes);
        const ModuleCallFacts copies = factsIn(programWith(kReLU, Attributes{{"inplace", kOff}}));
        QVERIFY(copies.call.written.empty());
        QVERIFY(copies.call.result == ResultMemory::fresh);
    }

    void mayDoAllOfItsClassWithoutFields()
    {
        const Program old = programWith(kReLU, std::nullopt);
        QCOMPARE(factsIn(old).call.written, std::vector<std::uint32_t>{0});
        QVERIFY(factsIn(old).call.result == ResultMemory::maybe);
        QVERIFY(factsIn(old).assumesAttributes);
        QVERIFY(factsIn(old, MissingAttribute::off).call.written.empty());
        QVERIFY(factsIn(programWith(kDropout, std::nullopt)).call.random);
    }

    void updatesStatisticsInTrainingAlone()
    {
        const std::vector<const char*> tensors{"running_mean", "num_batches_tracked"};
        const auto writes = [&](Argument training, Argument tracked) {
            return factsIn(programWith(kBatchNorm, Attributes{{"training", training}, {"track_running_stats", tracked}}, tensors))
                .writesBuffers;
        };
        QVERIFY(writes(kOn, kOn));
        QVERIFY(!writes(kOff, kOn));
        QVERIFY(!writes(kOn, kOff));
    }

    void returnsItsArgumentWhereNothingIsDrawn()
    {
        const ModuleCallFacts facts = factsIn(
            programWith(kDropout, Attributes{{"training", kOff}, {"p", Argument::floating(0.5)}, {"inplace", kOn}}));
        QVERIFY(!facts.call.random);
        QVERIFY(facts.call.written.empty());
        QCOMPARE(facts.call.shared, std::vector<std::uint32_t>{0});
    }

    void doesNotKnowOtherClasses()
    {
        for (const char* cls : {"my.Module", "", "torch.nn.modules.container.Sequential", "torch.nn.modules.linear.LazyLinear"}) {
            const ModuleCallFacts facts = factsIn(programWith(cls, Attributes{{"training", kOff}}));
            QVERIFY(!facts.known);
            QCOMPARE(facts.call.written, std::vector<std::uint32_t>{0});
            QVERIFY(facts.call.random && facts.writesBuffers && facts.writesParameters && facts.returnsTensors);
        }
    }

    void doesNotKnowAModuleWithTensorsThatAHookAdded()
    {
        const char* const linear = "torch.nn.modules.linear.Linear";
        QVERIFY(factsIn(programWith(linear, Attributes{}, {"weight", "bias"})).known);
        QVERIFY(!factsIn(programWith(linear, Attributes{}, {"weight_orig", "weight_u"})).known);
        Program counted = programWith(linear, Attributes{}, {"weight", "bias", "seen"});
        QVERIFY(!factsIn(counted).known);
        Graph& graph = counted.rootGraph();
        const InsertScope scope(graph, Graph::InsertPoint::before(graph.first()));
        graph.create({.op = Op::getAttr, .name = {}, .target = intern("m.seen")}); // the graph reads it by name
        QVERIFY(factsIn(counted).known);
        QVERIFY(factsIn(programWith("torch.nn.modules.rnn.LSTM", Attributes{}, {"weight_ih_l0"})).known);
    }

    void tellsWhichFieldsAResultDependsOn()
    {
        const Attributes all{{"training", kOn}, {"inplace", kOn}, {"p", Argument::floating(0.5)}};
        const auto names = [&](const char* cls) {
            const Program program = programWith(cls, all);
            QStringList found;
            for (const ModuleAttribute& attribute : ModuleFacts(program).inResult(program.modules.resolve("m")))
                found << QString::fromStdString(attribute.name.str());
            return found;
        };
        QCOMPARE(names(kReLU), QStringList{"p"});
        QCOMPARE(names(kDropout), (QStringList{"p", "training"}));
    }
};

const test::Registered<ModuleFactsTest> moduleFactsTest("module_facts_test");
#include "module_facts_test.moc"
