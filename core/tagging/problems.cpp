#include "tagging/problems.h"

#include "support/format.h"
#include "tagging/problem_search.h"
#include "tagging/related_problems.h"
#include "tagging/repaired_tags.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

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
    Problem problem{.kind = Problem::Kind::nothingTagged, .severity = Severity::note, .text = "Nothing is painted yet."};
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
    for (const NodeId id : search.report.untagged)
        stages.bytes += search.snapshot.sizes.parameterBytes[id.index()];
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
