#include "analysis/cut/cut_edges.h"
#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/part_assignment.h"
#include "analysis/sequence/boundary_move.h"
#include "block_sequence.h"
#include "parameter_chain.h"
#include "random_cut_program.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace sunder;
using test::blocks;
using test::cutOf;
using test::sequenceOf;
using test::tagged;
using test::textOf;

namespace {

QString bordersText(const CutSequence& cut)
{
    QStringList words;
    for (const CutBoundary& border : cut.borders)
        words << QStringLiteral("%1|%2@%3").arg(border.before).arg(border.after).arg(border.place);
    return words.join(u' ');
}

/// Minimum number of calls to change so that tags never decrease, by exhaustive search.
std::size_t fewestChanges(std::span<const std::int32_t> tags, std::int32_t count, std::int32_t least = 0)
{
    if (tags.empty())
        return 0;
    std::size_t best = tags.size() + 1;
    for (std::int32_t tag = least; tag < count; ++tag)
        best = std::min(best, (tags[0] >= 0 && tags[0] != tag ? 1U : 0U) + fewestChanges(tags.subspan(1), count, tag));
    return best;
}

} // namespace

class SequenceTest final : public QObject {
    Q_OBJECT
private slots:
    void modulesHaveBordersWhereTheyBeginAndEnd()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        QStringList visits;
        for (const ModuleVisit& visit : sequence->visits)
            visits << QStringLiteral("%1:%2-%3").arg(QString::fromStdString(visit.path.str())).arg(visit.begin).arg(visit.end);
        QCOMPARE(visits.join(u' '),
                 "embed:0-1 layers.0:1-3 layers.0.attn:1-2 layers.0.mlp:2-3 layers.1:3-5 layers.1.attn:3-4 "
                 "layers.1.mlp:4-5 head:6-7");
        const std::vector<std::uint8_t> depths = {0, 1, 2, 1, 2, 1, 1, 0};
        QCOMPARE(sequence->borderDepth, depths);
        QCOMPARE(sequence->coarseDepth, 1);
        QCOMPARE(sequence->deepest, 2);
        QCOMPARE(describePlace(*sequence, program.rootGraph(), 3), "between layers.0 and layers.1");
        QCOMPARE(describePlace(*sequence, program.rootGraph(), 2), "between layers.0.attn and layers.0.mlp");
        QCOMPARE(describePlace(*sequence, program.rootGraph(), 5), "between layers.1 and add");
        QCOMPARE(describePlace(*sequence, program.rootGraph(), 0), "at the start of the model");
    }

    void whatIsReadBehindAPlaceCrossesIt()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const std::vector<std::uint64_t> bytes = {0, 40, 440, 80, 440, 80, 40, 0}; // e is read by add
        QCOMPARE(sequence->crossingBytes, bytes);
        const std::vector<std::uint32_t> values = {0, 1, 2, 2, 2, 2, 1, 0};
        QCOMPARE(sequence->crossingValues, values);
    }

    void crossingBytesAreThoseOfACutInTwo()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            const Program program = test::randomCutProgram(seed, 40);
            const auto sequence = sequenceOf(program);
            std::vector<std::int32_t> partOf(sequence->callCount(), 1);
            for (std::uint32_t place = 0; place <= sequence->callCount(); ++place) {
                QCOMPARE(sequence->crossingBytes[place], crossingBytesOf(*sequence->graph, partOf));
                if (place < sequence->callCount())
                    partOf[place] = 0;
            }
        }
    }

    void aHandMeansTheOutermostBorderThatIsNear()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        QCOMPARE(snappedBorder(*sequence, 2, {1, 3}, {1, 6}), 1U); // the first of equal depth and distance
        QCOMPARE(snappedBorder(*sequence, 2, {2, 2}, {1, 6}), 2U);
        QCOMPARE(nextBorder(*sequence, 1, Direction::forth, {1, 6}, 1), 3U);
        QCOMPARE(nextBorder(*sequence, 3, Direction::back, {1, 6}, 1), 1U);
        QVERIFY(!nextBorder(*sequence, 6, Direction::forth, {1, 6}, 2));
        const Program plain = test::parameterChain();
        QVERIFY(!snappedBorder(*sequenceOf(plain), 2, {1, 3}, {1, 3})); // without modules there are no module boundaries
    }

    void aStraightCutHasABorderBetweenTwoStages()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const CutSequence cut = cutOf(*sequence, tagged(program, "0 0 0 1 1 3 3"));
        QVERIFY(cut.isStraight());
        QCOMPARE(bordersText(cut), "0|1@3 1|3@5"); // no op has tag 2
        QCOMPARE(cut.runs.size(), std::size_t{3});
    }

    void aFreeCutHasTheBordersOfTheNearestStraightOne()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const CutSequence cut = cutOf(*sequence, tagged(program, "0 1 0 1 . 1 0"));
        QVERIFY(cut.isInterleaved());
        QCOMPARE(cut.strays, std::size_t{2});
        QCOMPARE(cut.untagged, std::size_t{1});
        QCOMPARE(bordersText(cut), "0|1@1"); // the second call weighs more than the third
    }

    void straighteningChangesAsFewCallsAsCanBe()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            const Program program = test::randomCutProgram(static_cast<unsigned>(round), 9);
            const auto sequence = sequenceOf(program);
            TagAssignment tags = test::randomCut(program, static_cast<unsigned>(round), 3, false);
            for (std::int32_t& tag : tags.tagOf)
                if (random() % 6 == 0)
                    tag = TagAssignment::kUntagged;
            const std::vector<std::int32_t> before = partsOfCalls(*sequence->graph, tags);
            const Straightening straight = straightened(*sequence, tags);
            std::vector<std::int32_t> kept = before; // in the chosen order of tags
            for (std::int32_t& tag : kept)
                if (tag >= 0)
                    tag = static_cast<std::int32_t>(std::ranges::find(straight.order, tag) - straight.order.begin());
            QCOMPARE(straight.retagged, fewestChanges(kept, 3));
            QVERIFY(straight.retagged <= fewestChanges(before, 3)); // tags are reordered only if that changes fewer calls
            const std::vector<std::int32_t> after = partsOfCalls(*sequence->graph, straight.tags);
            const bool none = std::ranges::all_of(before, [](std::int32_t tag) { return tag < 0; });
            QVERIFY(none || legalityOf(*sequence->graph, after).isLegal());
            QVERIFY(std::ranges::is_sorted(after));
            QCOMPARE(straight.crossingAfter, crossingBytesOf(*sequence->graph, after));
            QVERIFY(!straightened(*sequence, straight.tags).changes() || none);
        }
    }

    void straighteningPutsTagsInTheOrderInWhichTheyRun()
    {
        const Program program = blocks();
        const Straightening straight = straightened(*sequenceOf(program), tagged(program, "1 1 1 0 0 0 0"));
        QVERIFY(straight.isReordered);
        QCOMPARE(straight.retagged, std::size_t{0});
        QCOMPARE(straight.tags.order.front().view(), "t1");
        QCOMPARE(textOf(program, straight.tags), "0 0 0 1 1 1 1");
    }

    void saysWhatStraighteningCosts()
    {
        const Program program = blocks();
        const Straightening straight = straightened(*sequenceOf(program), tagged(program, "0 0 1 0 . 1 1"));
        QCOMPARE(QString::fromStdString(describe(straight)),
                 "retags 1 op (40 B); tags 1 untagged op; transfer changes from 480 B to 80 B");
        QCOMPARE(describe(straightened(*sequenceOf(program), tagged(program, "0 0 1 1 1 1 1"))),
                 "the stages are already contiguous");
    }

    void aMovedBorderTakesWhatItPassesOver()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const TagAssignment tags = tagged(program, "0 0 0 1 1 2 2");
        BoundaryMove move(sequence, tags, cutOf(*sequence, tags), 0);
        QCOMPARE(move.range().first, 1U);
        QCOMPARE(move.range().last, 4U); // stage 1 keeps a call
        QCOMPARE(move.moveTo(1).changedCalls, std::size_t{2});
        QCOMPARE(move.moveTo(4).changedCalls, std::size_t{1}); // relative to the start of the move
        QCOMPARE(move.changes().size(), std::size_t{1});
        QCOMPARE(move.moveTo(100).place, 4U);
        QCOMPARE(textOf(program, *withBorderAt(sequence, tags, 0, 4)), "0 0 0 0 1 2 2");
        QCOMPARE(textOf(program, *withBorderAt(sequence, tags, 1, 4)), "0 0 0 1 2 2 2");
        QVERIFY(!withBorderAt(sequence, tags, 0, 5));
        QVERIFY(!withBorderAt(sequence, tags, 2, 5));
    }

    void whatLiesOnItsSideAlreadyStays()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const TagAssignment tags = tagged(program, "0 0 0 2 1 1 2"); // a stray call of stage 2
        QCOMPARE(bordersText(cutOf(*sequence, tags)), "0|1@3 1|2@6");
        QCOMPARE(textOf(program, *withBorderAt(sequence, tags, 1, 5)), "0 0 0 2 1 2 2");
        const TagAssignment gap = tagged(program, "0 0 . . 1 1 1");
        QCOMPARE(textOf(program, *withBorderAt(sequence, gap, 0, 1)).left(7), "0 1 1 .");
    }

    /// The figures during a move equal those of the resulting cut, regardless of the places passed before.
    void figuresAreThoseOfTheCut()
    {
        std::mt19937 random(11);
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = test::randomCutProgram(seed, 30);
            const auto sequence = sequenceOf(program);
            const TagAssignment tags = test::randomCut(program, seed, 3, seed % 2 == 0);
            const CutSequence cut = cutOf(*sequence, tags);
            for (std::size_t border = 0; border < cut.borders.size(); ++border) {
                BoundaryMove move(sequence, tags, cut, border);
                for (int step = 0; step < 6; ++step) {
                    const auto [first, last] = move.range();
                    const BoundaryFigures figures = move.moveTo(first
                                                                + static_cast<std::uint32_t>(random()) % (last - first + 1));
                    const Result<TagAssignment> moved = withBorderAt(sequence, tags, border, figures.place);
                    QVERIFY(moved);
                    const CutMetrics metrics = cutMetrics(*sequence->graph, *moved);
                    for (const StageFigures& stage : {figures.before, figures.after}) {
                        PartSizes sizes = metrics.parts[static_cast<std::size_t>(stage.tag)].sizes;
                        sizes.duplicatedBytes = 0;
                        QVERIFY(stage.sizes == sizes);
                    }
                    QCOMPARE(figures.allCrossingBytes, metrics.crossingBytes);
                    QCOMPARE(figures.legality.backward,
                             backwardEdgeCount(*sequence->graph, partsOfCalls(*sequence->graph, *moved)));
                }
            }
        }
    }

    void ofAStraightCutTheSameCrossesAsAtItsPlace()
    {
        const Program program = blocks();
        const auto sequence = sequenceOf(program);
        const TagAssignment tags = tagged(program, "0 0 0 1 1 1 1");
        BoundaryMove move(sequence, tags, cutOf(*sequence, tags), 0);
        for (std::uint32_t place = 1; place < sequence->callCount(); ++place) {
            const BoundaryFigures figures = move.moveTo(place);
            QCOMPARE(figures.crossingBytes, sequence->crossingBytes[place]);
            QCOMPARE(figures.crossingValues, std::size_t{sequence->crossingValues[place]});
            QVERIFY(figures.legality.isLegal());
        }
        QCOMPARE(describeCrossing(move.moveTo(3)), "2 values, 80 B sent across");
    }
};

const test::Registered<SequenceTest> sequenceTest("sequence_test");
#include "sequence_test.moc"
