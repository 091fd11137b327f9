#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "effectful_program.h"
#include "ir/lint.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "random_program.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <random>
#include <unordered_map>

using namespace sunder;
using test::randomProgram;

namespace {

/// Random tags, raised where an edge requires it.
TagAssignment randomLegalTags(const Program& program, unsigned seed, int count)
{
    std::mt19937 random(seed);
    TagAssignment tags;
    for (int i = 0; i < count; ++i)
        tags.order.push_back(intern("part" + std::to_string(i)));
    tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    for (const NodeId id : program.rootGraph().nodes()) {
        if (!program.rootGraph().node(id).isCall())
            continue;
        std::int32_t tag = static_cast<std::int32_t>(random() % static_cast<unsigned>(count));
        for (const NodeId input : program.rootGraph().inputs(id))
            tag = std::max(tag, tags[input]);
        tags.tagOf[id.index()] = tag;
    }
    return tags;
}

} // namespace

class SplitPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void splitsRandomProgramsIntoTheSameThing()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program source = randomProgram(seed, 5 + static_cast<int>(seed));
            const TagAssignment tags = randomLegalTags(source, seed + 1000, 1 + static_cast<int>(seed % 6));
            QVERIFY(checkTags(source, tags).isLegal());
            const Result<SplitResult> split = splitByTags(source, tags, {.returnTuple = seed % 2 == 0});
            QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
            QVERIFY(lint(split->program).empty());
            std::unordered_map<NodeId, int> copies;
            for (const IdentityMap::Pair& pair : split->map.pairs())
                if (!pair.created && source.rootGraph().node(pair.source.node).isCall())
                    ++copies[pair.source.node];
            for (const NodeId id : source.rootGraph().nodes())
                if (source.rootGraph().node(id).isCall())
                    QCOMPARE(copies[id], 1);
            const VerifyReport report = *verify(source, split->program);
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    /// If the check finds no inverted order and no call outside its region, the parts compute the same as the model.
    void computesTheSameWhereTheCheckFindsNoHiddenOrderBroken()
    {
        int clean = 0;
        int broken = 0;
        int told = 0;
        for (unsigned seed = 0; seed < 400; ++seed) {
            const Program source = test::effectfulProgram(seed, 8 + static_cast<int>(seed % 24));
            const TagAssignment tags = randomLegalTags(source, seed + 1000, 2 + static_cast<int>(seed % 2));
            const TagReport report = checkTags(source, tags);
            QVERIFY(report.isLegal());
            const Result<SplitResult> split = splitByTags(source, tags);
            QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
            const VerifyReport verdict = *verify(source, split->program);
            const std::string why = "seed " + std::to_string(seed) + ": " + verdict.why;
            // Calls that would run in an order or under a state that changes the result, or may change it.
            const bool changesMeaning = !report.orders.empty() || !report.regions.empty();
            if (!changesMeaning)
                QVERIFY2(verdict.verdict == Verdict::same, why.c_str());
            clean += changesMeaning ? 0 : 1;
            broken += verdict.verdict == Verdict::same ? 0 : 1;
            told += changesMeaning ? 1 : 0;
        }
        QVERIFY(clean > 40 && broken > 40);
        QVERIFY2(told < 2 * broken, qPrintable(QString("told %1, broken %2").arg(told).arg(broken)));
    }

    void refusesExactlyWhatTheCheckCallsIllegal()
    {
        int refused = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program source = randomProgram(seed, 12);
            TagAssignment tags = randomLegalTags(source, seed, 3);
            std::mt19937 random(seed);
            const std::size_t at = random() % tags.tagOf.size();
            if (tags.tagOf[at] != TagAssignment::kUntagged)
                tags.tagOf[at] = static_cast<std::int32_t>(random() % 3);
            const TagReport report = checkTags(source, tags);
            const Result<SplitResult> split = splitByTags(source, tags);
            QCOMPARE(split.has_value(), report.isLegal());
            if (!split) {
                ++refused;
                QVERIFY(!describe(report, source, tags).empty());
            }
        }
        QVERIFY(refused > 0);
    }

    void consecutiveStagesAreLegalAndFilled()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            const Program source = randomProgram(seed, 10 + static_cast<int>(seed));
            for (const StageMeasure measure : {StageMeasure::bytes, StageMeasure::nodes})
                for (const std::uint32_t count : {1U, 2U, 7U, 10U}) {
                    const TagAssignment tags = *consecutiveStages(source, count, measure);
                    const TagReport report = checkTags(source, tags);
                    QVERIFY(report.isLegal());
                    QVERIFY(report.emptyTags.empty());
                    QCOMPARE(tags.order.size(), std::size_t{count});
                }
        }
    }
};

const test::Registered<SplitPropertyTest> splitPropertyTest("split_property_test");
#include "split_property_test.moc"
