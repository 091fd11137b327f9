// Problems of parts: invalid names, overflowing devices, duplicate weights, non-tensor values, islands, empty tags.
#include "analysis/cut/cut_text.h"
#include "analysis/part_names.h"
#include "analysis/tag_assignment.h"
#include "analysis/training/backward_tags.h"
#include "support/format.h"
#include "tagging/problem.h"
#include "tagging/problem_search.h"
#include "tagging/tag_repairs.h"

#include <algorithm>

namespace sunder {
namespace {

/// Offers to move ops to the next part with ops: a later one for step 1, an earlier one for -1.
void offerMoveToFit(const ProblemSearch& search, Problem& problem, const DeviceFit& fit, std::int32_t from, int step,
                    const Finding& cured)
{
    std::int32_t to = from + step;
    const auto count = static_cast<std::int32_t>(fit.metrics.parts.size());
    while (to >= 0 && to < count && fit.metrics.parts[static_cast<std::size_t>(to)].sizes.ops == 0)
        to += step;
    if (to < 0 || to >= count)
        return;
    std::vector<NodeId> nodes = movedToFit(fit, from, to);
    if (nodes.empty())
        return;
    Repair move{.kind = Repair::Kind::retag, .tag = to};
    move.label = "Move the " + std::string(step > 0 ? "last " : "first ") + formatCount(nodes.size(), "op") + " to "
        + search.tagName(to);
    move.tip = "Moves " + formatBytes(totalOf(search.snapshot, nodes).bytes) + " of weights; both parts then fit";
    move.nodes = std::move(nodes);
    search.offers.offer(problem, std::move(move), {&cured, 1});
}

void offerStagesThatFit(const ProblemSearch& search, Problem& problem, const DeviceFit& fit, const Finding& cured)
{
    if (fit.devices.size() >= 2)
        search.offers.offer(problem,
                            {.kind = Repair::Kind::stages,
                             .label = formatCount(fit.devices.size()) + " equal stages",
                             .tip = "Retag all ops: consecutive stages of equal bytes, one per device; all parts then fit",
                             .tag = static_cast<int>(fit.devices.size())},
                            {&cured, 1});
}

/// Suggests other solutions if no neighbor can take the ops: a free device, more memory, or another cut.
std::string whatWouldFit(const DeviceFit& fit, std::size_t device)
{
    const DeviceLoad& load = fit.loads[device];
    const std::string needed = formatBytes(load.overflowBytes());
    std::uint64_t room = 0;
    std::string rooms;
    for (std::size_t other = 0; other < fit.loads.size(); ++other)
        if (const std::uint64_t left = fit.loads[other].freeBytes(); other != device && left > 0) {
            room += left;
            rooms += (rooms.empty() ? "" : ", ") + describe(fit.devices[other]) + " has " + formatBytes(left);
        }
    if (room < load.overflowBytes())
        return " The other devices have only " + formatBytes(room) + " free: add " + needed + " to "
            + describe(fit.devices[device]) + ", or add a device with at least " + formatBytes(load.overflowBytes() - room)
            + " and a tag for it.";
    for (std::size_t other = 0; other < fit.loads.size(); ++other)
        if (fit.loads[other].parts.empty() && fit.loads[other].capacity.value_or(0) >= load.overflowBytes())
            return " The unused " + describe(fit.devices[other]) + " has " + formatBytes(*fit.loads[other].capacity)
                + ": add a tag and move at least " + needed + " of this part to it.";
    return " No adjacent part has room for that much. Other devices have room (" + rooms
        + "): move the boundaries between the parts to shift " + needed + " there.";
}

/// Returns the last nodes whose weights add up to `bytes`, or all nodes with weights if they are not sufficient; the last node if
/// none has weights.
std::vector<NodeId> lastWithWeights(const ProblemSearch& search, const std::vector<NodeId>& nodes, std::uint64_t bytes)
{
    std::vector<NodeId> last;
    std::uint64_t found = 0;
    for (auto at = nodes.rbegin(); at != nodes.rend() && found < bytes; ++at)
        if (const std::uint64_t own = search.snapshot.sizes.parameterBytes[at->index()]; own > 0) {
            found += own;
            last.push_back(*at);
        }
    std::ranges::reverse(last);
    return last.empty() && !nodes.empty() ? std::vector{nodes.back()} : last;
}

void addOverflow(const ProblemSearch& search, const DeviceFit& fit, std::size_t device)
{
    const DeviceLoad& load = fit.loads[device];
    std::vector<std::string> parts;
    Problem problem{.kind = Problem::Kind::overflow};
    for (const std::int32_t part : load.parts) {
        parts.push_back(fit.cut.order[static_cast<std::size_t>(part)].str());
        for (const NodeId id : search.graph().nodes())
            if (search.graph()[id].isCall() && fit.cut[id] == part)
                problem.nodes.push_back(id);
    }
    if (fit.isOfTags)
        problem.excess = lastWithWeights(search, problem.nodes, load.overflowBytes());
    const bool isOne = parts.size() == 1;
    const bool isStage = differentStages(forwardTags(fit.cut.order), load.parts).size() == 1;
    problem.text = joined(parts) + (isOne ? " needs " : " together need ") + formatBytes(load.usedBytes()) + " on "
        + describe(fit.devices[device]) + ", which has " + formatBytes(*load.capacity) + ": " + formatBytes(load.overflowBytes())
        + " too much (" + describeNeed(load.sizes, load.rule) + ").";
    if (fit.isOfTags && isStage) {
        const Finding cured = RepairOffers::overflowOf(device);
        if (isOne) {
            offerMoveToFit(search, problem, fit, load.parts.front(), 1, cured);
            offerMoveToFit(search, problem, fit, load.parts.front(), -1, cured);
        }
        offerStagesThatFit(search, problem, fit, cured);
    }
    if (fit.isOfTags && problem.repairs.empty())
        problem.text += whatWouldFit(fit, device);
    search.add(std::move(problem));
}

std::string whatItIs(BoundaryKind kind)
{
    switch (kind) {
    case BoundaryKind::tuple: return "a tuple of tensors";
    case BoundaryKind::symbolicSize: return "a symbolic size";
    case BoundaryKind::number: return "a number";
    case BoundaryKind::tensor:
    case BoundaryKind::unknown:
    case BoundaryKind::other: break;
    }
    return "not a tensor";
}

/// Returns whether a value is reported as another problem: values that cannot pass at all, and regions that separate parts enter
/// and leave themselves.
bool isToldOtherwise(const ProblemSearch& search, NodeId producer)
{
    return std::ranges::find(search.report.boundCrossings, producer, &BoundCrossing::producer)
        != search.report.boundCrossings.end()
        || std::ranges::find(search.report.cutRegions, producer, &CutRegion::setter) != search.report.cutRegions.end();
}

/// Returns the calls of a tag that read a memory.
std::vector<std::uint32_t> readersWith(const LegalityState& state, std::uint32_t memory, std::int32_t tag)
{
    std::vector<std::uint32_t> readers;
    for (const std::uint32_t call : state.tables().memoryReaders[memory])
        if (state.tagOf(call) == tag)
            readers.push_back(call);
    return readers;
}

void offerOneCopyLess(const ProblemSearch& search, Problem& problem, const SharedMemory& shared, std::int32_t from,
                      std::int32_t to)
{
    const std::uint32_t memory = search.snapshot.memory.memoryOf[shared.tensor.index()];
    const Finding cured{Finding::Kind::shared, memory, static_cast<std::uint32_t>(shared.tags.size() - 1)};
    const LegalityState& state = search.offers.state();
    const std::vector<std::uint32_t> readers = readersWith(state, memory, from);
    const NodeId first = state.tables().nodes[readers.front()];
    search.offers.offerMove(problem, from < to ? raisedWith(state, readers, to) : loweredWith(state, readers, to), first, to,
                            {&cured, 1});
}

} // namespace

void addOverflows(const ProblemSearch& search)
{
    for (const DeviceFit& fit : search.options.fits)
        for (std::size_t device = 0; device < fit.loads.size(); ++device)
            if (fit.loads[device].overflowBytes() > 0)
                addOverflow(search, fit, device);
}

void addSharedMemory(const ProblemSearch& search)
{
    const std::vector<SharedMemory>& all = search.report.shared;
    const std::vector<std::int32_t> forward = forwardTags(search.tags.order);
    for (std::size_t i = 0; i < std::min(search.options.limit, all.size()); ++i) {
        SharedMemory shared = all[i];
        shared.tags = differentStages(forward, shared.tags);
        const InternedString name = search.snapshot.program.tensors[shared.tensor].fqn;
        const bool isSplit = std::ranges::find(search.report.splitState, name, &SplitState::memory)
            != search.report.splitState.end(); // reported as such
        if (shared.tags.size() < 2 || isSplit)
            continue; // the forward and backward calls of one stage share a device
        Problem problem{.kind = Problem::Kind::sharedWeight, .severity = Severity::warning};
        std::vector<std::string> names;
        for (const std::int32_t tag : shared.tags)
            names.push_back(search.tagName(tag));
        problem.text = search.snapshot.program.tensors[shared.tensor].fqn.str() + " is used by " + joined(names)
            + " and would be stored " + std::to_string(shared.tags.size()) + " times (+"
            + formatBytes(shared.bytes * (shared.tags.size() - 1)) + ").";
        const std::uint32_t memory = search.snapshot.memory.memoryOf[shared.tensor.index()];
        const LegalityTables& tables = search.offers.state().tables();
        for (const std::uint32_t call : tables.memoryReaders[memory])
            problem.nodes.push_back(tables.nodes[call]);
        offerOneCopyLess(search, problem, shared, shared.tags[1], shared.tags[0]);
        offerOneCopyLess(search, problem, shared, shared.tags[0], shared.tags[1]);
        if (problem.repairs.empty())
            problem.text += " The model never writes to it, so the copies stay equal. When training, keep them in sync.";
        search.add(std::move(problem));
    }
}

void addNonTensors(const ProblemSearch& search)
{
    const std::vector<NonTensorCrossing>& all = search.report.nonTensors;
    for (std::size_t i = 0; i < std::min(search.options.limit, all.size()); ++i) {
        const NonTensorCrossing& crossing = all[i];
        if (isToldOtherwise(search, crossing.producer))
            continue;
        Problem problem{.kind = Problem::Kind::nonTensor, .severity = Severity::note};
        problem.text = search.nodeName(crossing.producer) + " is " + whatItIs(crossing.kind) + " and crosses from "
            + search.tagName(crossing.producerTag) + " to " + search.nodeName(crossing.consumer) + ".";
        problem.nodes = {crossing.producer, crossing.consumer};
        const LegalityState& state = search.offers.state();
        const std::uint32_t call = search.offers.callOf(crossing.producer);
        const Finding cured{Finding::Kind::nonTensor, call, 0};
        auto [nodes, tag] = movedToReader(state, call);
        search.offers.offerMove(problem, std::move(nodes), crossing.producer, tag, {&cured, 1});
        std::vector<std::uint32_t> readers;
        for (const std::uint32_t edge : state.tables().usesOf[call])
            if (const std::uint32_t reader = state.tables().edges[edge].to; state.tagOf(reader) > crossing.producerTag)
                readers.push_back(reader);
        if (!readers.empty())
            search.offers.offerMove(problem, loweredWith(state, readers, crossing.producerTag), crossing.consumer,
                                    crossing.producerTag, {&cured, 1});
        search.add(std::move(problem));
    }
}

/// Adds the problem once if any value of unknown kind passes between parts.
void addNoValues(const ProblemSearch& search)
{
    const LegalityState& state = search.offers.state();
    const auto crosses = [&state](const LegalityTables::Edge& edge) {
        return state.tagOf(edge.from) >= 0 && state.tagOf(edge.to) >= 0 && state.tagOf(edge.from) != state.tagOf(edge.to)
            && state.tables().kinds[edge.from] == BoundaryKind::unknown;
    };
    if (hasNoValues(search.graph()) && std::ranges::any_of(state.tables().edges, crosses))
        search.found.push_back({.kind = Problem::Kind::noValues, .severity = Severity::note, .text = kNoValues});
}

void addIslands(const ProblemSearch& search)
{
    const std::vector<TagIsland>& all = search.report.islands;
    for (std::size_t i = 0; i < std::min(search.options.limit, all.size()); ++i) {
        const TagIsland& island = all[i];
        Problem problem{.kind = Problem::Kind::island, .severity = Severity::note, .nodes = island.nodes};
        const bool isOne = island.nodes.size() == 1;
        problem.text = search.nodeName(island.nodes.front())
            + (isOne ? std::string() : " and " + formatCount(island.nodes.size() - 1) + " more") + (isOne ? " is" : " are")
            + " tagged " + search.tagName(island.tag) + ", but not connected to the other ops of this tag; "
            + (isOne ? "it is" : "they are") + " adjacent to " + search.tagName(island.neighbor) + ".";
        Findings cured;
        for (const NodeId id : island.nodes)
            cured.push_back({Finding::Kind::island, search.offers.callOf(id), 0});
        search.offers.offerMove(problem, island.nodes, island.nodes.front(), island.neighbor, cured);
        search.add(std::move(problem));
    }
}

void addPartNames(const ProblemSearch& search)
{
    for (std::size_t tag = 0; tag < search.tags.order.size(); ++tag) {
        const InternedString name = search.tags.order[tag];
        const std::optional<std::string> why = whyNoPartName(search.graph(), name.view());
        if (!why)
            continue;
        Problem problem{.kind = Problem::Kind::partName,
                        .text = '"' + name.str() + "\" cannot name a part: " + *why + ". Rename the tag."};
        for (const NodeId id : search.offers.state().tables().nodes)
            if (search.tags[id] == static_cast<std::int32_t>(tag))
                problem.nodes.push_back(id);
        search.add(std::move(problem));
    }
}

void addEmptyTags(const ProblemSearch& search)
{
    if (search.report.untagged.size() == search.snapshot.callCount)
        return; // without any tags, all of them are empty
    for (const std::int32_t tag : search.report.emptyTags) {
        const Finding gone{Finding::Kind::emptyTag, search.tags.order[static_cast<std::size_t>(tag)].id(), 0};
        search.found.push_back({.kind = Problem::Kind::emptyTag,
                                .severity = Severity::note,
                                .text = search.tagName(tag) + " has no ops; its part would be empty.",
                                .repairs = {{.kind = Repair::Kind::removeTag,
                                             .label = "Remove " + search.tagName(tag),
                                             .tip = "Remove the tag from the list",
                                             .tag = tag,
                                             .removes = {gone}}},
                                .about = {gone}});
    }
}

} // namespace sunder
