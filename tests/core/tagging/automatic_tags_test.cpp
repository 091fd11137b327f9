#include "../analysis/random_cut_program.h"
#include "analysis/tag_legality.h"
#include "parameter_chain.h"
#include "tagging/automatic_tags.h"
#include "tagging/tag_repairs.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;

namespace {

Result<TaggingProposal> propose(const Program& program, const TagAssignment& tags, const TaggingRequest& wish)
{
    const ModelSequence sequence = modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program)));
    return proposeTags(program, sequence, tags, wish);
}

TagAssignment randomlyErased(const Program& program, unsigned seed)
{
    std::mt19937 random(seed);
    TagAssignment tags = test::randomCut(program, seed, 4, true);
    for (std::int32_t& tag : tags.tagOf)
        if (random() % 3 == 0)
            tag = TagAssignment::kUntagged;
    return tags;
}

} // namespace

class AutomaticTagsTest final : public QObject {
    Q_OBJECT
private slots:
    /// With tags from a legal cut, every op has a legal tag, and earliest and latest are tight: the next tag beyond them is
    /// illegal.
    void earliestAndLatestAreTheBoundsOfWhatIsLegal()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program program = test::randomCutProgram(seed, 25);
            const TagAssignment tags = randomlyErased(program, seed);
            const auto earliest = earliestTags(program.rootGraph(), tags);
            const auto latest = latestTags(program.rootGraph(), tags);
            QCOMPARE(earliest.size(), latest.size());
            for (const auto way : {TaggingRequest::Way::fillEarliest, TaggingRequest::Way::fillLatest}) {
                const Result<TaggingProposal> proposal = propose(program, tags, {.way = way});
                QVERIFY(proposal && proposal->legality.isLegal());
                QVERIFY(checkTags(program, proposal->tags).isLegal());
                for (std::size_t i = 0; i < earliest.size(); ++i) {
                    QCOMPARE(earliest[i].first, latest[i].first);
                    QVERIFY(earliest[i].second <= latest[i].second);
                    const bool isEarliest = way == TaggingRequest::Way::fillEarliest;
                    TagAssignment beyond = proposal->tags;
                    beyond.tagOf[earliest[i].first.index()] += isEarliest ? -1 : 1;
                    const std::int32_t tag = beyond[earliest[i].first];
                    if (tag >= 0 && tag < 4)
                        QVERIFY(!checkTags(program, beyond).isLegal());
                }
            }
        }
    }

    void saysWhichOpsHaveNoLegalTag()
    {
        const Program program = test::parameterChain();
        TagAssignment tags = initialTags(program);
        const auto node = [&](const char* name) { return program.rootGraph().find(intern(name)).index(); };
        tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
        tags.tagOf[node("a")] = 1;
        tags.tagOf[node("c")] = 0;
        const Result<TaggingProposal> proposal = propose(program, tags, {.way = TaggingRequest::Way::fillLatest});
        QVERIFY(proposal);
        QCOMPARE(proposal->why,
                 "2 untagged ops get the latest tag that their users allow. 1 op has no legal tag, because a user has "
                 "an earlier tag than an input.");
        QCOMPARE(describe(proposal->legality), "illegal: 1 value goes from a later tag to an earlier one");
    }

    void withoutTagsThereIsNothingToFillIn()
    {
        const Program program = test::parameterChain();
        QVERIFY(!propose(program, {}, {.way = TaggingRequest::Way::fillEarliest}));
    }

    void aProposalSaysWhatEachStageHolds()
    {
        const Program program = test::parameterChain();
        const Result<TaggingProposal> proposal = propose(program, initialTags(program), {.measure = StageMeasure::nodes});
        QVERIFY(proposal);
        QCOMPARE(proposal->stages.size(), std::size_t{2});
        QCOMPARE(proposal->stages[0].ops, std::size_t{2});
        QCOMPARE(proposal->stages[0].weightBytes, std::uint64_t{400});
        QCOMPARE(proposal->stages[1].weightBytes, std::uint64_t{480}); // both read w
        QCOMPARE(proposal->stages[0].crossingBytes, std::uint64_t{40});
        QCOMPARE(proposal->stages[1].crossingBytes, std::uint64_t{0});
        QCOMPARE(proposal->crossingBytes, std::uint64_t{40});
        QCOMPARE(proposal->stages[1].begin, "before c");
        QCOMPARE(proposal->changed, std::size_t{4});
        QCOMPARE(proposal->why, "2 stages with roughly equal numbers of ops, cut between any two ops.");
        QCOMPARE(proposal->largestBytes, std::uint64_t{580});
    }

    void equalStagesAtModulesNeedModules()
    {
        const Program program = test::parameterChain();
        const Result<TaggingProposal> refused = propose(program, {}, {.borders = TaggingRequest::Borders::modules});
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("allow only 1 stage, not") != std::string::npos);
    }

    void modulesByDepthAndByPattern()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 10
            a = lin(x) : 10 @ layers.0 Block
            b = lin(a) : 10 @ layers.1 Block
            c = lin(b) : 10 @ layers.2 Block
            out = output(c))");
        const auto stages = [&](const TaggingRequest& wish) {
            const Result<TaggingProposal> proposal = propose(program, {}, wish);
            return proposal ? proposal->stages.size() : 0;
        };
        QCOMPARE(stages({.way = TaggingRequest::Way::byDepth}), std::size_t{3});
        QCOMPARE(stages({.way = TaggingRequest::Way::byPattern, .pattern = "layers.*"}), std::size_t{3});
        QCOMPARE(stages({.way = TaggingRequest::Way::byPattern, .pattern = "layers.1"}), std::size_t{1});
        QCOMPARE(stages({.way = TaggingRequest::Way::byPattern, .pattern = "/["}), std::size_t{0});
        QCOMPARE(stages({.way = TaggingRequest::Way::byPattern}), std::size_t{0});
        const auto atModules = propose(program, {}, {.stages = 3, .borders = TaggingRequest::Borders::modules});
        QVERIFY(atModules);
        QCOMPARE(atModules->stages[1].begin, "between layers.0 and layers.1");
    }
};

const test::Registered<AutomaticTagsTest> automaticTagsTest("automatic_tags_test");
#include "automatic_tags_test.moc"
