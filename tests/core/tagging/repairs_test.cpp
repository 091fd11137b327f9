#include "analysis/tag_assignment.h"
#include "effectful_program.h"
#include "tagging/problem.h"
#include "tagging/repair_all.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <tuple>

using namespace sunder;

namespace {

/// Consecutive thirds with random errors: single ops and short stretches with another tag or none.
TagAssignment slippedTags(const Snapshot& snapshot, unsigned seed)
{
    std::mt19937 random(seed);
    TagAssignment tags{.order = {intern("p"), intern("q"), intern("r")},
                       .tagOf = std::vector<std::int32_t>(snapshot.graph().idBound(), TagAssignment::kUntagged)};
    std::vector<NodeId> calls;
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.isCall(id))
            calls.push_back(id);
    for (std::size_t i = 0; i < calls.size(); ++i)
        tags.tagOf[calls[i].index()] = static_cast<std::int32_t>(i * 3 / calls.size());
    for (std::size_t slip = 0; slip < 1 + seed % 4; ++slip) {
        const std::size_t at = random() % calls.size();
        const auto tag = static_cast<std::int32_t>(random() % 4) - 1;
        for (std::size_t i = at; i < std::min(at + 1 + random() % 3, calls.size()); ++i)
            tags.tagOf[calls[i].index()] = tag;
    }
    if (seed % 7 == 0)
        tags.order.push_back(intern("s"));
    return tags;
}

/// All problems found from scratch, including devices that overflow.
std::vector<std::string> foundIn(const Snapshot& snapshot, const TagAssignment& tags, const DeviceQuestion& question)
{
    std::vector<std::string> found;
    const LegalityStatePtr state = legalityOf(snapshot, tags);
    for (const Finding& finding : state->findings())
        found.push_back(std::to_string(static_cast<int>(finding.kind)) + " " + std::to_string(finding.a) + " "
                        + std::to_string(finding.b));
    const TagCheck check = checkOf(snapshot, tags, {.work = 0}, question);
    for (const DeviceFit& fit : check.fits)
        for (std::size_t device = 0; device < fit.loads.size(); ++device)
            if (fit.loads[device].overflowBytes() > 0)
                found.push_back("device " + std::to_string(device));
    std::ranges::sort(found);
    return found;
}

/// Entries of `found` that are missing in `other`.
std::vector<std::string> missingIn(const std::vector<std::string>& other, const std::vector<std::string>& found)
{
    std::vector<std::string> rest;
    std::ranges::set_difference(found, other, std::back_inserter(rest));
    return rest;
}

bool isNote(const std::string& finding)
{
    const auto isOf = [&](Finding::Kind kind) { return finding.starts_with(std::to_string(static_cast<int>(kind)) + " "); };
    return isOf(Finding::Kind::shared) || isOf(Finding::Kind::nonTensor) || isOf(Finding::Kind::island);
}

/// Whether a fix adds no problem, or is a fill that announces the problems it adds.
bool addsNothingUntold(const Repair& repair, const std::vector<std::string>& added)
{
    if (added.empty())
        return repair.label.find(" more note") == std::string::npos;
    const std::string told = ", " + std::to_string(added.size()) + (added.size() == 1 ? " more note" : " more notes");
    return repair.kind == Repair::Kind::fillIn && std::ranges::all_of(added, isNote) && repair.label.ends_with(told)
        && repair.tip.find(". Then ") != std::string::npos;
}

DeviceQuestion devicesFor(unsigned seed)
{
    DeviceQuestion question;
    if (seed % 3 == 0)
        for (int i = 0; i < 3; ++i)
            question.devices.push_back({.name = "d" + std::to_string(i), .availableBytes = 500.0 + seed % 400, .logicalId = i});
    return question;
}

constexpr std::size_t kAllWork = 1'000'000;

std::size_t tagsWithOps(const Snapshot& snapshot, const TagAssignment& tags)
{
    std::vector<char> has(tags.order.size(), 0);
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.isCall(id) && tags[id] >= 0)
            has[static_cast<std::size_t>(tags[id])] = 1;
    return static_cast<std::size_t>(std::ranges::count(has, 1));
}

/// Remaining problems, changed ops, bytes of their weights.
using Price = std::tuple<std::size_t, std::uint64_t, std::uint64_t>;

std::vector<Repair> repairsOf(const Problems& problems)
{
    std::vector<Repair> found;
    for (const Problem& problem : problems)
        for (const Repair& repair : problem.repairs)
            if (repair.kind != Repair::Kind::show && repair.kind != Repair::Kind::stages)
                found.push_back(repair);
    return found;
}

Price priceOf(const Snapshot& snapshot, const TagAssignment& before, const TagAssignment& after, std::size_t problems)
{
    Price price{problems, 0, 0};
    std::vector<NodeId> changed;
    const auto nameOf = [](const TagAssignment& tags, NodeId id) {
        return tags[id] < 0 ? InternedString() : tags.order[static_cast<std::size_t>(tags[id])];
    };
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.isCall(id) && nameOf(before, id) != nameOf(after, id))
            changed.push_back(id);
    const TagTotal total = totalOf(snapshot, changed);
    std::get<1>(price) = total.ops;
    std::get<2>(price) = total.bytes;
    return price;
}

/// The lowest price over all orders of fixes; nothing if one takes more than `depth` steps, or if there are more than `most`
/// sequences.
std::optional<Price> cheapest(const Snapshot& snapshot, const TagAssignment& start, const TagAssignment& tags, int depth,
                              std::size_t most)
{
    const Problems problems = checkOf(snapshot, tags, {.work = kAllWork}).problems;
    const std::vector<Repair> repairs = repairsOf(problems);
    if (repairs.empty())
        return priceOf(snapshot, start, tags, problems.size());
    if (depth == 0 || repairs.size() > most)
        return std::nullopt;
    std::optional<Price> best;
    for (const Repair& repair : repairs) {
        const Result<TagAssignment> after = repaired(snapshot, tags, repair);
        const std::optional<Price> price = cheapest(snapshot, start, after.value(), depth - 1, most / repairs.size());
        if (!price)
            return std::nullopt;
        best = best ? std::min(*best, *price) : *price;
    }
    return best;
}

/// The price of always choosing the fix with the fewest ops for each problem.
Price greedy(const Snapshot& snapshot, const TagAssignment& start)
{
    TagAssignment tags = start;
    for (;;) {
        const Problems problems = checkOf(snapshot, tags, {.work = kAllWork}).problems;
        std::vector<Repair> repairs = repairsOf(problems);
        if (repairs.empty())
            return priceOf(snapshot, start, tags, problems.size());
        const auto perFinding = [](const Repair& repair) {
            const auto removes = static_cast<double>(repair.removes.size());
            return std::pair(static_cast<double>(repair.calls) / removes, static_cast<double>(repair.bytes) / removes);
        };
        tags = repaired(snapshot, tags, *std::ranges::min_element(repairs, {}, perFinding)).value();
    }
}

} // namespace

class RepairsTest final : public QObject {
    Q_OBJECT
private slots:
    void everyRepairRemovesItsFindingAndAddsNone()
    {
        std::map<std::string, int> repairedKinds;
        int toldNotes = 0;
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 12 + static_cast<int>(seed % 30)));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const DeviceQuestion question = devicesFor(seed);
            const std::vector<std::string> before = foundIn(snapshot, tags, question);
            const TagCheck check = checkOf(snapshot, tags, {.activeTag = 1, .work = kAllWork}, question);
            for (const Problem& problem : check.problems)
                for (const Repair& repair : problem.repairs) {
                    if (repair.kind == Repair::Kind::show || problem.kind == Problem::Kind::nothingTagged)
                        continue;
                    const std::string where = "seed " + std::to_string(seed) + ": " + problem.text + " " + repair.label;
                    const Result<TagAssignment> after = repaired(snapshot, tags, repair);
                    QVERIFY2(after.has_value(), where.c_str());
                    const std::vector<std::string> left = foundIn(snapshot, *after, question);
                    QVERIFY2(addsNothingUntold(repair, missingIn(before, left)), where.c_str());
                    QVERIFY2(missingIn(left, before).size() == repair.removes.size() && !repair.removes.empty(), where.c_str());
                    toldNotes += missingIn(before, left).empty() ? 0 : 1;
                    for (const Problem& other : checkOf(snapshot, *after, {.work = 0}, question).problems)
                        QVERIFY2(other.text != problem.text, where.c_str());
                    ++repairedKinds[std::string(name(problem.kind))];
                }
        }
        for (const char* kind : {"backward_edge", "hidden_order", "left_region", "overflow", "untagged", "shared_weight",
                                 "non_tensor", "empty_tag", "circle", "island"})
            QVERIFY2(repairedKinds[kind] > 0, kind);
        QVERIFY(toldNotes > 0);
    }

    void aNoteIsWorthAFewOpsNotAPart()
    {
        int moves = 0;
        for (unsigned seed = 0; seed < 150; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 40));
            const TagAssignment tags = slippedTags(snapshot, seed);
            std::vector<std::size_t> calls(tags.order.size());
            for (const NodeId id : snapshot.graph().nodes())
                if (tags[id] >= 0)
                    ++calls[static_cast<std::size_t>(tags[id])];
            for (const Problem& problem : checkOf(snapshot, tags, {.work = kAllWork}).problems)
                for (const Repair& repair : problem.repairs) {
                    if (problem.severity == Severity::error || repair.kind != Repair::Kind::retag)
                        continue;
                    std::vector<std::size_t> moved(tags.order.size());
                    for (const NodeId id : repair.nodes)
                        if (tags[id] >= 0)
                            ++moved[static_cast<std::size_t>(tags[id])];
                    for (std::size_t tag = 0; tag < moved.size(); ++tag)
                        QVERIFY2(moved[tag] <= std::max<std::size_t>(1, calls[tag] / 4), repair.label.c_str());
                    ++moves;
                }
        }
        QVERIFY(moves > 0);
    }

    void whatGoesAwayWithAProblemStandsBehindIt()
    {
        int followers = 0;
        for (unsigned seed = 0; seed < 150; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 30));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const Problems problems = checkOf(snapshot, tags, {.work = kAllWork}).problems;
            for (std::size_t i = 0; i < problems.size(); ++i) {
                std::vector<std::pair<std::uint64_t, std::uint64_t>> prices;
                for (const Repair& repair : problems[i].repairs)
                    if (repair.kind != Repair::Kind::show)
                        prices.emplace_back(repair.calls, repair.bytes);
                QVERIFY(std::ranges::is_sorted(prices)); // cheapest first
                if (!problems[i].goesWith)
                    continue;
                const std::size_t leader = *problems[i].goesWith;
                QVERIFY(leader < i && !problems[leader].goesWith);
                for (std::size_t between = leader + 1; between < i; ++between)
                    QVERIFY(problems[between].goesWith == leader);
                const Result<TagAssignment> after = repaired(snapshot, tags, problems[leader].repairs.front());
                for (const Problem& left : checkOf(snapshot, after.value(), {.work = 0}).problems)
                    QVERIFY2(left.text != problems[i].text, left.text.c_str());
                ++followers;
            }
        }
        QVERIFY(followers > 0);
    }

    void repairAllLeavesOnlyWhatNoRepairRemoves()
    {
        std::size_t clean = 0;
        for (unsigned seed = 0; seed < 100; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 20));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const DeviceQuestion question = devicesFor(seed);
            const std::vector<std::string> before = foundIn(snapshot, tags, question);
            const RepairPlan plan = repairAll(snapshot, tags, {.activeTag = 0}, question, RepairScope::removesTags);
            const std::vector<std::string> left = foundIn(snapshot, plan.tags, question);
            const bool hasFilledIn = std::ranges::any_of(plan.labels, [](const std::string& label) {
                return label.starts_with("Fill in") && label.find(" more note") != std::string::npos;
            });
            QVERIFY(hasFilledIn ? std::ranges::all_of(missingIn(before, left), isNote) : std::ranges::includes(before, left));
            QCOMPARE(plan.labels.empty(), left == before);
            QCOMPARE(plan.staying.empty(), left.empty());
            for (const Problem& problem : checkOf(snapshot, plan.tags, {.work = kAllWork}, question).problems)
                for (const Repair& repair : problem.repairs)
                    QVERIFY(repair.kind == Repair::Kind::show || repair.kind == Repair::Kind::stages);
            clean += left.empty() ? 1 : 0;
        }
        QVERIFY(clean > 10);
    }

    /// Compares with all orders of all fixes where these are few.
    void noSetOfFewRepairsIsCheaper()
    {
        std::size_t compared = 0;
        std::size_t cheaperThanGreedy = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 16));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const std::optional<Price> best = cheapest(snapshot, tags, tags, 3, 40);
            if (!best || checkOf(snapshot, tags, {}).problems.empty())
                continue;
            ++compared;
            const RepairPlan plan = repairAll(snapshot, tags, {}, {}, RepairScope::removesTags);
            QVERIFY2(Price(plan.staying.size(), plan.calls, plan.bytes) <= *best, std::to_string(seed).c_str());
            cheaperThanGreedy += Price(plan.staying.size(), plan.calls, plan.bytes) < greedy(snapshot, tags) ? 1 : 0;
        }
        QVERIFY2(compared > 40, std::to_string(compared).c_str());
        QVERIFY2(cheaperThanGreedy > 0, std::to_string(cheaperThanGreedy).c_str());
    }

    void keepsAllTagsUnlessToldOtherwise()
    {
        std::size_t removing = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 16));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const RepairChoice choice = repairChoice(snapshot, tags, {});
            QVERIFY(choice.keeping.removed.empty());
            QCOMPARE(choice.keeping.tagsLeft, tagsWithOps(snapshot, tags));
            QCOMPARE(tagsWithOps(snapshot, choice.keeping.tags), tagsWithOps(snapshot, tags));
            if (!choice.removing)
                continue;
            ++removing;
            QVERIFY(choice.removing->staying.size() < choice.keeping.staying.size()
                    || choice.removing->problemsStaying < choice.keeping.problemsStaying);
            QCOMPARE(tagsWithOps(snapshot, choice.removing->tags) + choice.removing->removed.size(), tagsWithOps(snapshot, tags));
        }
        QVERIFY2(removing > 0, std::to_string(removing).c_str());
    }

    void countsProblemsAsTheListOfThemDoes()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Snapshot snapshot(test::effectfulProgram(seed, 16));
            const TagAssignment tags = slippedTags(snapshot, seed);
            const auto counted = [&](const TagAssignment& at) {
                return static_cast<std::size_t>(std::ranges::count_if(checkOf(snapshot, at, {}).problems, isCounted));
            };
            const RepairPlan plan = repairAll(snapshot, tags, {});
            QCOMPARE(plan.problems, counted(tags));
            QCOMPARE(plan.problemsStaying, counted(plan.tags));
        }
    }

    void takesTheCheaperOfTwoRepairs()
    {
        // One op too early, or four too late: the single op is moved.
        const Snapshot snapshot(test::programFromText("x = placeholder()\n"
                                                      "a = relu(x)\n"
                                                      "b = relu(a)\n"
                                                      "c = relu(b)\n"
                                                      "d = relu(c)\n"
                                                      "e = relu(d)\n"
                                                      "output(e)\n"));
        const std::vector<TagPair> pairs = {{intern("a"), intern("p")},
                                            {intern("b"), intern("q")},
                                            {intern("c"), intern("p")},
                                            {intern("d"), intern("p")},
                                            {intern("e"), intern("q")}};
        const RepairPlan plan = repairAll(snapshot, assignTags(snapshot.graph(), {intern("p"), intern("q")}, pairs), {});
        QCOMPARE(plan.labels, std::vector<std::string>{"Move b to p"});
        QCOMPARE(plan.calls, 1U);
        QVERIFY(plan.staying.empty());
    }
};

const test::Registered<RepairsTest> repairsTest("repairs_test");
#include "repairs_test.moc"
