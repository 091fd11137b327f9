#include "tagging/problems.h"

#include "analysis/tag_assignment.h"
#include "support/format.h"
#include "tagging/problem.h"
#include "tagging/problem_search.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxLeaders = 20; ///< later errors are rarely read before these are fixed

const Findings* removedFirst(const Problem& problem)
{
    const auto repair = std::ranges::find_if(problem.repairs, [](const Repair& one) { return !one.removes.empty(); });
    return repair == problem.repairs.end() ? nullptr : &repair->removes;
}

bool isUnproven(const Problem& problem)
{
    return problem.kind == Problem::Kind::notEqual || problem.kind == Problem::Kind::undecided;
}

/// Returns the errors, with cycles last, since they are consequences of others.
std::vector<std::size_t> causesFirst(const Problems& problems)
{
    std::vector<std::size_t> errors;
    for (const bool isForCycles : {false, true})
        for (std::size_t at = 0; at < problems.size(); ++at)
            if (problems[at].severity == Severity::error && (problems[at].kind == Problem::Kind::circle) == isForCycles)
                errors.push_back(at);
    return errors;
}

using Leaders = std::vector<std::optional<std::size_t>>; ///< per problem

Leaders leadersOf(const Problems& problems)
{
    Leaders leaders(problems.size());
    std::vector<std::uint8_t> leads(problems.size());
    std::size_t found = 0;
    for (const std::size_t at : causesFirst(problems)) {
        const Findings* removed = removedFirst(problems[at]);
        if (leaders[at] || removed == nullptr || found == kMaxLeaders)
            continue;
        ++found;
        leads[at] = 1;
        for (std::size_t other = 0; other < problems.size(); ++other)
            if (!leads[other] && !leaders[other] && !problems[other].about.empty()
                && std::ranges::includes(*removed, problems[other].about))
                leaders[other] = at;
    }
    const auto why = std::ranges::find_if(problems, [](const Problem& problem) {
        return problem.kind == Problem::Kind::orderDependency || problem.kind == Problem::Kind::leftRegion;
    });
    const auto place = static_cast<std::size_t>(why - problems.begin());
    for (std::size_t at = 0; at < problems.size() && why != problems.end(); ++at)
        if (isUnproven(problems[at]))
            leaders[at] = leaders[place].value_or(place);
    return leaders;
}

/// Moves problems that the first fix of an error also removes after that error, and a failed equivalence after the first broken
/// order or region; sets Problem::goesWith. Other problems keep their order. O(problems) for each of the first 20 errors.
void groupRelated(Problems& problems)
{
    const Leaders leaders = leadersOf(problems);
    std::vector<std::vector<std::size_t>> led(problems.size());
    for (std::size_t at = 0; at < problems.size(); ++at)
        if (leaders[at])
            led[*leaders[at]].push_back(at);
    Problems sorted;
    sorted.reserve(problems.size());
    for (std::size_t at = 0; at < problems.size(); ++at) {
        if (leaders[at])
            continue;
        const std::size_t leader = sorted.size();
        sorted.push_back(std::move(problems[at]));
        for (const std::size_t other : led[at]) {
            sorted.push_back(std::move(problems[other]));
            sorted.back().goesWith = leader;
        }
    }
    problems = std::move(sorted);
}

/// Formats a reason as a sentence, with a capital letter and a full stop.
std::string asSentence(std::string why)
{
    if (!why.empty() && why.back() != '.')
        why += '.';
    if (!why.empty() && why.front() >= 'a' && why.front() <= 'z')
        why.front() = static_cast<char>(why.front() - 'a' + 'A');
    return why;
}

/// A value with all of its consumers in one earlier tag: one problem instead of one per edge.
struct BackwardFan {
    NodeId producer;
    std::int32_t producerTag;
    std::int32_t consumerTag;
    std::vector<NodeId> consumers;
};

std::vector<BackwardFan> backwardFans(const TagReport& report)
{
    std::vector<BackwardFan> fans;
    std::map<std::pair<NodeId, std::int32_t>, std::size_t> places;
    for (const BackwardEdge& edge : report.backward) {
        const auto [at, isNew] = places.try_emplace({edge.producer, edge.consumerTag}, fans.size());
        if (isNew)
            fans.push_back({edge.producer, edge.producerTag, edge.consumerTag, {}});
        fans[at->second].consumers.push_back(edge.consumer);
    }
    return fans;
}

void addBackwardFan(const ProblemSearch& search, const BackwardFan& fan)
{
    Problem problem{.kind = Problem::Kind::backwardEdge, .nodes = {fan.producer}};
    problem.nodes.insert(problem.nodes.end(), fan.consumers.begin(), fan.consumers.end());
    std::string readers = search.withTag(fan.consumers.front(), fan.consumerTag);
    if (fan.consumers.size() > 1)
        readers += " and " + formatCount(fan.consumers.size() - 1) + " more";
    problem.text = search.withTag(fan.producer, fan.producerTag) + " feeds " + readers + ", but "
        + search.tagName(fan.producerTag) + " comes after " + search.tagName(fan.consumerTag) + ".";
    Findings cured;
    std::vector<std::uint32_t> consumers;
    for (const NodeId consumer : fan.consumers) {
        cured.push_back(search.offers.backward(fan.producer, consumer));
        consumers.push_back(search.offers.callOf(consumer));
    }
    const std::uint32_t producer = search.offers.callOf(fan.producer);
    const LegalityState& state = search.offers.state();
    search.offers.offerReorder(problem, cured);
    search.offers.offerFollow(problem, cured);
    search.offers.offerMove(problem, loweredWith(state, {producer}, fan.consumerTag), fan.producer, fan.consumerTag, cured);
    search.offers.offerMove(problem, raisedWith(state, consumers, fan.producerTag), fan.consumers.front(), fan.producerTag,
                            cured);
    search.add(std::move(problem));
}

std::string untaggedSentence(const ProblemSearch& search)
{
    const std::vector<NodeId>& untagged = search.report.untagged;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, untagged.size()); ++i)
        names.push_back(search.nodeName(untagged[i]));
    if (untagged.size() == 1)
        return "1 op has no tag: " + joined(names) + ".";
    const std::string rest = untagged.size() <= 3 ? "." : " and " + formatCount(untagged.size() - 3) + " more.";
    return formatCount(untagged.size()) + " ops have no tag: " + joined(names) + rest;
}

void addNothingPainted(const ProblemSearch& search)
{
    Problem problem{.kind = Problem::Kind::nothingTagged, .severity = Severity::note, .text = "No op is tagged yet."};
    if (search.snapshot.callCount < 2) { // too few calls for two stages
        search.found.push_back(std::move(problem));
        return;
    }
    problem.repairs.push_back({.kind = Repair::Kind::stages,
                               .label = "Two equal stages",
                               .tip = "Tag all ops: two consecutive stages of equal bytes",
                               .tag = 2});
    Repair& stages = problem.repairs.back();
    stages.calls = search.report.untagged.size();
    stages.bytes = totalOf(search.snapshot, search.report.untagged).bytes;
    search.found.push_back(std::move(problem));
}

} // namespace

std::string joined(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

void addBackwardEdges(const ProblemSearch& search)
{
    const std::vector<BackwardFan> fans = backwardFans(search.report);
    const std::size_t shown = std::min(search.options.limit, fans.size());
    for (std::size_t i = 0; i < shown; ++i)
        addBackwardFan(search, fans[i]);
    std::vector<NodeId> more;
    for (std::size_t i = shown; i < fans.size(); ++i)
        more.push_back(fans[i].producer);
    if (!more.empty())
        search.addMore(Severity::error, formatCount(more.size()) + " more values go from a later tag to an earlier one.", more);
}

void addProof(const ProblemSearch& search)
{
    const SplitProof& proof = search.options.proof;
    if (proof.report == nullptr || proof.report->verdict == Verdict::same)
        return;
    const bool differs = proof.report->verdict == Verdict::different;
    Problem problem{.kind = differs ? Problem::Kind::notEqual : Problem::Kind::undecided,
                    .severity = differs ? Severity::error : Severity::warning};
    problem.text = (differs ? "The parts are not equivalent to the model. "
                            : "The parts are not proven to be equivalent to the model. ")
        + asSentence(proof.report->why);
    const GraphId root = search.snapshot.program.root;
    if (proof.report->nodeA.graph == root && proof.report->nodeA.node)
        problem.nodes.push_back(proof.report->nodeA.node);
    for (const IdentityMap::Pair& pair : proof.map->sourcesOf(proof.report->nodeB)) // parts may have additional setters
        if (pair.source.graph == root && pair.source.node.index() < search.graph().idBound()
            && std::ranges::find(problem.nodes, pair.source.node) == problem.nodes.end())
            problem.nodes.push_back(pair.source.node);
    search.add(std::move(problem));
}

void addUntagged(const ProblemSearch& search)
{
    const std::vector<NodeId>& untagged = search.report.untagged;
    if (untagged.empty())
        return;
    if (untagged.size() == search.snapshot.callCount) {
        addNothingPainted(search);
        return;
    }
    const bool standOut = search.options.splitWanted || untaggedStandOut(search.report, search.snapshot.callCount);
    Problem problem{.kind = Problem::Kind::untagged,
                    .severity = standOut ? Severity::error : Severity::note,
                    .text = untaggedSentence(search),
                    .nodes = untagged};
    Findings cured;
    for (const NodeId id : untagged)
        cured.push_back({Finding::Kind::untagged, search.offers.callOf(id), 0});
    if (search.options.activeTag >= 0)
        search.offers.offer(problem,
                            {.kind = Repair::Kind::retag,
                             .label = "Tag " + search.tagName(search.options.activeTag),
                             .tip = "Assign the active tag to all of them",
                             .nodes = untagged,
                             .tag = search.options.activeTag},
                            cured);
    if (!search.tags.order.empty())
        search.offers.offer(problem,
                            {.kind = Repair::Kind::fillIn,
                             .label = "Fill in",
                             .tip = "Assign each the earliest tag that its inputs allow",
                             .changes = earliestTags(search.offers.state().tables(), search.tags)},
                            cured);
    search.add(std::move(problem));
}

Problems problemsOf(const Snapshot& snapshot, LegalityState& state, const TagReport& report, const ProblemOptions& options)
{
    Problems found;
    const TagAssignment tags = state.tags(); // fixes are tried on the state
    RepairOffers offers(snapshot, state, options.fits, options.work);
    const ProblemSearch search{snapshot, tags, report, options, offers, found};
    addProof(search);
    addPartNames(search);
    addBackwardEdges(search);
    addCircles(search);
    addHiddenOrders(search);
    addLeftRegions(search);
    addSplitState(search);
    addBoundCrossings(search);
    addCutRegions(search, false);
    addPartForms(search);
    addOverflows(search);
    addUntagged(search);
    addSharedMemory(search);
    addNonTensors(search);
    addNoValues(search);
    addCutRegions(search, true);
    addIslands(search);
    addEmptyTags(search);
    groupRelated(found);
    return found;
}

} // namespace sunder
