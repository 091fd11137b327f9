// Memory that training keeps. tests/torch/training_memory_in_torch.py compares more calls and models with PyTorch.
#include "analysis/cut/backward_memory.h"

#include "analysis/cut/cut_metrics.h"
#include "io/model_file.h"
#include "operators/literal_text.h"
#include "operators/operator_table.h"
#include "operators/saved_for_backward.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <numeric>

using namespace sunder;

namespace {

/// Returns the sizes of the whole program as one part.
TrainingSizes trainingOf(const Program& program, const std::vector<InternedString>& recompute = {})
{
    const CutGraph graph = cutGraph(program);
    const std::vector<std::int32_t> partOf(graph.callCount, 0);
    std::vector<std::uint32_t> calls(graph.callCount);
    std::iota(calls.begin(), calls.end(), 0U);
    return BackwardMemory(program, graph, recompute).measure(partOf, 0, calls);
}

} // namespace

class BackwardMemoryTest final : public QObject {
    Q_OBJECT

private slots:
    void equalsWhatAutogradSaves()
    {
        const TrainingSizes sizes = trainingOf(*readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QCOMPARE(sizes.savedBytes, std::uint64_t{454'272}); // torch.autograd.graph.saved_tensors_hooks
        QCOMPARE(sizes.gradientBytes, std::uint64_t{318'464});
        QVERIFY(sizes.assumed.empty());
    }

    void partsAddUpExceptForSharedStorages()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const CutGraph graph = cutGraph(program);
        std::vector<std::int32_t> partOf(graph.callCount, 0);
        for (std::uint32_t call = graph.callCount / 2; call < graph.callCount; ++call)
            partOf[call] = 1;
        const Rows calls = callsOfParts(partOf, 2);
        BackwardMemory memory(program, graph);
        const TrainingSizes first = memory.measure(partOf, 0, calls[0]);
        const TrainingSizes second = memory.measure(partOf, 1, calls[1]);
        const TrainingSizes whole = trainingOf(program);
        QVERIFY(first.savedBytes > 0 && second.savedBytes > 0);
        QVERIFY(first.savedBytes + second.savedBytes >= whole.savedBytes); // a value at the boundary may be saved by both
        QVERIFY(first.savedBytes < whole.savedBytes && second.savedBytes < whole.savedBytes);
        QVERIFY(first.gradientBytes + second.gradientBytes >= whole.gradientBytes);
    }

    void recomputedModulesKeepTheirInputsOnly()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const TrainingSizes plain = trainingOf(program);
        const TrainingSizes one = trainingOf(program, {intern("blocks.0")});
        const TrainingSizes all = trainingOf(program, {intern("blocks")});
        QVERIFY(one.savedBytes < plain.savedBytes);
        QVERIFY(all.savedBytes < one.savedBytes);
        QCOMPARE(all.gradientBytes, plain.gradientBytes);
        QCOMPARE(trainingOf(program, {intern("block")}).savedBytes, plain.savedBytes); // paths, not beginnings of names
    }

    void unknownOperatorsAreAssumedToSaveEverything()
    {
        Program program = test::programFromText(R"(
            x = placeholder() : 10
            a = f(x) : 20
            b = f(a) : 30
            out = output(b))");
        test::giveTestSchemas(program);
        QCOMPARE(trainingOf(program).savedBytes, std::uint64_t{0}); // nothing needs gradients
        NodeMeta& meta = program.rootGraph().meta(program.rootGraph().find(intern("x")));
        TensorMeta tensor = meta.val->asTensor();
        tensor.requiresGrad = true;
        meta.val = Argument::tensor(std::make_shared<const TensorMeta>(tensor));
        const TrainingSizes sizes = trainingOf(program);
        QCOMPARE(sizes.savedBytes, std::uint64_t{4 * (10 + 20 + 30)});
        QCOMPARE(sizes.assumed.size(), std::size_t{1});
    }

    void overloadsHavePrecedence()
    {
        const auto first = [](const char* target) { return std::string(savedForBackward(target)->front().what); };
        QCOMPARE(first("torch.ops.aten.max.dim"), std::string("result1"));
        QCOMPARE(first("torch.ops.aten.max.other"), std::string("self"));
        QVERIFY(savedForBackward("torch.ops.aten.max.default") == nullptr);
        QCOMPARE(first("torch.ops.aten.relu_.default"), std::string("result"));
        QCOMPARE(first("torch.relu"), std::string("result"));
        QVERIFY(savedForBackward("torch.ops.other.relu.default") == nullptr);
    }

    void linesNameOperatorsAndTheirArguments()
    {
        OperatorCatalog operators;
        for (const std::string_view line : piecesOf(operator_data::savedForBackward, '\n')) {
            const std::vector<std::string_view> fields = piecesOf(line, '\t');
            if (line.starts_with('#') || fields.size() < 2)
                continue;
            for (const std::string_view name : piecesOf(fields[0], ' ')) {
                const std::string target = "torch.ops.aten." + std::string(name);
                const OperatorFacts& facts = operators.of(Op::callFunction, intern(target));
                QVERIFY2(facts.known && !facts.overloads.empty(), target.c_str());
                for (const SavedWord& word : *savedForBackward(target))
                    if (!word.ifNeeded.empty())
                        QVERIFY2(std::ranges::any_of(facts.overloads,
                                                     [&](const OperatorOverload& overload) {
                                                         return overload.schema.find(intern(word.ifNeeded)).has_value();
                                                     }),
                                 std::string(line).c_str());
            }
        }
    }
};

const test::Registered<BackwardMemoryTest> backwardMemoryTest("backward_memory_test");
#include "backward_memory_test.moc"
