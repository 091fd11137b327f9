#include "analysis/cut/cut_metrics.h"
#include "analysis/sequence/module_stages.h"

#include "block_sequence.h"
#include "parameter_chain.h"
#include "random_cut_program.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;
using test::blocks;
using test::cutOf;
using test::sequenceOf;
using test::textOf;

namespace {

/// Minimum size of the largest of `count` stages with boundaries at these places, by exhaustive search.
std::uint64_t leastLargest(const ModelSequence& sequence, std::span<const std::uint32_t> places, std::uint32_t count)
{
    const auto weigh = [&](std::uint32_t begin, std::uint32_t end) {
        std::vector<std::uint32_t> seen;
        std::uint64_t bytes = 0;
        for (std::uint32_t call = begin; call < end; ++call)
            for (const std::uint32_t memory : sequence.graph->memories[call])
                if (std::ranges::find(seen, memory) == seen.end()) {
                    seen.push_back(memory);
                    bytes += sequence.graph->memoryBytes[memory];
                }
        return bytes;
    };
    if (count == 1)
        return weigh(places.front(), places.back());
    std::uint64_t best = ~std::uint64_t{0};
    for (std::size_t end = 1; end + count - 1 < places.size(); ++end)
        best = std::min(best, std::max(weigh(places[0], places[end]), leastLargest(sequence, places.subspan(end), count - 1)));
    return best;
}

} // namespace

class ModuleStagesTest final : public QObject {
    Q_OBJECT

private slots:
    void stagesAtBordersHaveTheLeastLargest()
    {
        std::mt19937 random(3);
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = test::randomCutProgram(seed, 24);
            ModelSequence sequence = *sequenceOf(program);
            std::vector<std::uint32_t> places;
            for (std::uint32_t place = 0; place <= sequence.callCount(); ++place) {
                if (place > 0 && place < sequence.callCount())
                    sequence.borderDepth[place] = random() % 3 == 0 ? 1 : ModelSequence::kInside;
                if (sequence.isBorder(place, 1))
                    places.push_back(place);
            }
            sequence.deepest = 1;
            for (std::uint32_t count = 1; count < std::min<std::size_t>(places.size(), 6); ++count) {
                const Result<TagAssignment> tags = stagesAtBorders(sequence, count, StageMeasure::bytes, 1,
                                                                   ProgressMonitor::none());
                QVERIFY(tags);
                const CutSequence cut = cutOf(sequence, *tags);
                QVERIFY(cut.isStraight());
                QCOMPARE(cut.borders.size(), std::size_t{count} - 1);
                for (const CutBoundary& border : cut.borders)
                    QVERIFY(sequence.isBorder(border.place, 1));
                std::uint64_t largest = 0;
                for (const PartMetrics& part : cutMetrics(*sequence.graph, *tags).parts)
                    largest = std::max(largest, part.sizes.parameterBytes);
                if (leastLargest(sequence, places, 1) > 0) // otherwise by results
                    QCOMPARE(largest, leastLargest(sequence, places, count));
            }
            const auto tooMany = static_cast<std::uint32_t>(places.size());
            QVERIFY(!stagesAtBorders(sequence, tooMany, StageMeasure::nodes, 1, ProgressMonitor::none()));
        }
    }

    void saysHowManyBordersThereAre()
    {
        const Program program = blocks();
        const auto refused = stagesAtBorders(*sequenceOf(program), 9, StageMeasure::nodes, 1, ProgressMonitor::none());
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, "at depth 1, module boundaries allow 1 to 5 stages, not 9; the maximum depth is 2");
        QCOMPARE(int(depthWithBorders(*sequenceOf(program), 5)), 2);
        QCOMPARE(int(depthWithBorders(*sequenceOf(program), 4)), 1);
    }

    void modulesOfADepthBecomeStages()
    {
        const Program program = blocks();
        const Result<TagAssignment> tags = stagesByDepth(*sequenceOf(program), 1);
        QVERIFY(tags);
        QCOMPARE(textOf(program, *tags), "0 1 1 2 2 2 3"); // 40 B cross before the head, 80 B before add
        QCOMPARE(tags->order[1].view(), "layers_0");
        QCOMPARE(textOf(program, *stagesByDepth(*sequenceOf(program), 2)), "0 1 2 3 4 4 5"); // embed has no module at that depth
        QVERIFY(!stagesByDepth(*sequenceOf(program), 3));
        QVERIFY(!stagesByDepth(*sequenceOf(program), 0));
    }

    void modulesOfAPatternBecomeStages()
    {
        const Program program = blocks();
        const auto byPattern = [&](const char* pattern) {
            return stagesByPattern(*sequenceOf(program), *TextPattern::parse(pattern));
        };
        QCOMPARE(textOf(program, *byPattern("layers.*")), "0 0 0 1 1 1 1"); // modules inside them belong to them
        QCOMPARE(textOf(program, *byPattern("*.mlp")), "0 0 0 1 1 1 1");
        QVERIFY(!byPattern("blocks.*"));
    }

    void aModuleThatRunsAgainIsAnotherStage()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = lin(x) : 1 @ act Act
            b = lin(a) : 1 @ act_2 Act
            c = lin(b) : 1 @ act Act
            out = output(c))");
        const Result<TagAssignment> tags = stagesByDepth(*sequenceOf(program), 1);
        QStringList names;
        for (const InternedString tag : tags->order)
            names << QString::fromStdString(tag.str());
        QCOMPARE(names.join(u' '), "act act_2 act_3");
    }

    void moreModulesThanTagsMayBeAreRefused()
    {
        std::string text = "x = placeholder() : 1\n";
        for (int i = 0; i < 300; ++i)
            text += "n" + std::to_string(i) + " = lin(x) : 1 @ layers." + std::to_string(i) + " Layer\n";
        const Program program = test::programFromText(text + "out = output(n299)");
        const Result<TagAssignment> refused = stagesByDepth(*sequenceOf(program), 1);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, "depth 1 makes 300 stages, more than the limit of 256; use a lower depth");
    }

    void aModelWithoutOpsHasNothingToCut()
    {
        const Program program = test::programFromText("x = placeholder() : 1\nout = output(x)");
        const auto sequence = sequenceOf(program);
        QVERIFY(cutOf(*sequence, {}).borders.empty());
        QVERIFY(!straightened(*sequence, {}).changes());
        QVERIFY(!stagesAtBorders(*sequence, 1, StageMeasure::bytes, 1, ProgressMonitor::none()));
    }

    void theLongestListOfModulesIsAPattern()
    {
        QCOMPARE(patternOfModuleList(blocks()), std::string("layers.*"));
        const Program nested = test::programFromText(R"(
            x = placeholder() : 10
            a = lin(x) : 10 @ net Net > net.stem.0 Linear
            b = lin(a) : 10 @ net Net > net.stages.0 Stage > net.stages.0.experts.0 Linear
            c = lin(b) : 10 @ net Net > net.stages.0 Stage > net.stages.0.experts.1 Linear
            d = lin(c) : 10 @ net Net > net.stages.1 Stage > net.stages.1.experts.0 Linear
            output(d))");
        QCOMPARE(patternOfModuleList(nested), std::string("net.stages.*")); // by ops, the outer list before the inner one
        QCOMPARE(patternOfModuleList(test::programFromText("x = placeholder()\ny = relu(x)\noutput(y)\n")), std::string());
    }
};

const test::Registered<ModuleStagesTest> moduleStagesTest("module_stages_test");
#include "module_stages_test.moc"
