#include "tagging/problem_search.h"

#include "analysis/tag_assignment.h"
#include "support/format.h"
#include "tagging/problem.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kWorkOfATry = 40; ///< fixed work per attempt, in retagged calls
constexpr std::size_t kPartsOfATag = 4; ///< fixes for notes and warnings may move one in this many ops of a tag
constexpr std::size_t kMaxBlocked = 3; ///< fixes per problem that are listed although they are not possible
constexpr std::size_t kOpsOfACopy = 16; ///< maximum number of ops to move to remove one copy of a weight

/// Returns whether a finding is not an error but worth knowing. Filling in tags may only add such findings.
bool isNote(const Finding& finding)
{
    return finding.kind == Finding::Kind::shared || finding.kind == Finding::Kind::nonTensor
        || finding.kind == Finding::Kind::island || finding.kind == Finding::Kind::repeated;
}

/// Returns whether a fix is not just a list of retagged ops, so that its result must be computed by repaired().
bool needsRecomputation(const Repair& repair)
{
    return repair.kind == Repair::Kind::reorder || repair.kind == Repair::Kind::stages || repair.kind == Repair::Kind::follow;
}

void setAbout(Problem& problem, std::span<const Finding> findings)
{
    problem.about.assign(findings.begin(), findings.end());
    std::ranges::sort(problem.about);
}

} // namespace

RepairOffers::RepairOffers(const Snapshot& snapshot, LegalityState& state, std::span<const DeviceFit> fits, std::size_t work)
    : m_snapshot(snapshot), m_state(state), m_work(work), m_before(state.findings())
{
    for (const DeviceFit& fit : fits)
        if (fit.isOfTags)
            m_fit = &fit;
    if (m_fit != nullptr)
        for (std::size_t device = 0; device < m_fit->loads.size(); ++device)
            if (m_fit->loads[device].overflowBytes() > 0)
                m_before.push_back(overflowOf(device));
    std::ranges::sort(m_before);
}

Finding RepairOffers::backward(NodeId producer, NodeId consumer) const
{
    const LegalityTables& tables = m_state.tables();
    std::uint32_t edge = tables.edgesOf[callOf(consumer)];
    while (tables.nodes[tables.edges[edge].from] != producer)
        ++edge;
    return {Finding::Kind::backward, edge, 0};
}

Finding RepairOffers::overflowOf(std::size_t device)
{
    return {Finding::Kind::overflow, static_cast<std::uint32_t>(device), 0};
}

bool RepairOffers::offer(Problem& problem, Repair repair, std::span<const Finding> cured)
{
    setAbout(problem, cured);
    const std::size_t work = kWorkOfATry + repair.nodes.size() + repair.changes.size();
    if (work > m_work || !isWorthIt(problem, repair))
        return false;
    m_work -= work;
    Findings found = after(repair);
    const auto stays = [&found](const Finding& finding) { return std::ranges::binary_search(found, finding); };
    if (std::ranges::any_of(cured, stays) || !isClean(repair, found))
        return false;
    if (m_fit != nullptr) {
        const std::vector<DeviceLoad> loads = addOverflows(found, repair);
        if (std::ranges::any_of(cured, stays) || !isClean(repair, found)) {
            block(problem, repair, found, loads);
            return false;
        }
    }
    price(repair);
    repair.removes = without(m_before, found);
    describeAdded(repair, without(found, m_before));
    if (repair.emptied.size() == 1)
        repair.label += ", remove " + tagName(repair.emptied.front());
    else if (!repair.emptied.empty())
        repair.label += ", remove " + formatCount(repair.emptied.size(), "tag");
    problem.repairs.push_back(std::move(repair));
    return true;
}

/// Returns whether a fix is proportionate: for warnings and notes, it must not move a large share of a part.
bool RepairOffers::isWorthIt(const Problem& problem, const Repair& repair) const
{
    if (problem.severity == Severity::error || repair.kind != Repair::Kind::retag)
        return true;
    if (problem.kind == Problem::Kind::sharedWeight && repair.nodes.size() > kOpsOfACopy)
        return false;
    std::vector<std::size_t> leaving(m_state.tags().order.size());
    for (const NodeId id : repair.nodes)
        if (const std::int32_t tag = m_state.tags()[id]; tag >= 0)
            ++leaving[static_cast<std::size_t>(tag)];
    for (std::size_t tag = 0; tag < leaving.size(); ++tag)
        if (leaving[tag] > 1 && leaving[tag] * kPartsOfATag > m_state.callsWith(static_cast<std::int32_t>(tag)))
            return false;
    return true;
}

bool RepairOffers::isClean(const Repair& repair, const Findings& found) const
{
    const Findings added = without(found, m_before);
    return repair.kind == Repair::Kind::fillIn || repair.kind == Repair::Kind::follow ? std::ranges::all_of(added, isNote)
                                                                                      : added.empty();
}

void RepairOffers::describeAdded(Repair& repair, const Findings& added)
{
    if (added.empty())
        return;
    repair.label += ", " + formatCount(added.size()) + (added.size() == 1 ? " more note" : " more notes");
    const auto tell = [&](Finding::Kind kind, std::string_view one, std::string_view several) {
        const auto count = static_cast<std::size_t>(std::ranges::count(added, kind, &Finding::kind));
        if (count > 0)
            repair.tip += ". Then " + formatCount(count) + " " + std::string(count == 1 ? one : several);
    };
    tell(Finding::Kind::shared, "additional copy of a weight is stored", "additional copies of weights are stored");
    tell(Finding::Kind::nonTensor, "non-tensor value passes to another part", "non-tensor values pass to other parts");
    tell(Finding::Kind::repeated, "setter of global state is repeated in other parts",
         "setters of global state are repeated in other parts");
    tell(Finding::Kind::island, "op is not connected to the rest of its tag", "ops are not connected to the rest of their tags");
}

bool RepairOffers::offerMove(Problem& problem, std::vector<NodeId> nodes, NodeId first, int tag, std::span<const Finding> cured)
{
    setAbout(problem, cured);
    if (nodes.empty() || tag < 0)
        return false;
    for (const Repair& other : problem.repairs)
        if (other.kind == Repair::Kind::retag && other.tag == tag && other.nodes == nodes)
            return false;
    Repair move{.kind = Repair::Kind::retag};
    move.label = nodes.size() == 1
        ? "Move " + nodeName(first) + " to " + tagName(tag)
        : "Move " + nodeName(first) + " and " + formatCount(nodes.size() - 1, "more op") + " to " + tagName(tag);
    move.tip = "Moves " + formatBytes(totalOf(m_snapshot, nodes).bytes) + " of weights";
    move.nodes = std::move(nodes);
    move.tag = tag;
    return offer(problem, std::move(move), cured);
}

bool RepairOffers::offerReorder(Problem& problem, std::span<const Finding> cured)
{
    if (!m_order)
        m_order = orderOfTags(m_state.links(), m_state.tags().order.size());
    if (m_order->empty() || std::ranges::is_sorted(*m_order))
        return false;
    return offer(problem,
                 {.kind = Repair::Kind::reorder,
                  .label = "Reorder tags",
                  .tip = "Order the tags so that there are no backward edges",
                  .order = *m_order},
                 cured);
}

bool RepairOffers::offerMerge(Problem& problem, const std::vector<int>& tags, std::span<const Finding> cured)
{
    Repair merge{.kind = Repair::Kind::mergeTags, .tip = "Merge them into one part", .tag = tags.front(), .order = tags};
    for (const int tag : tags)
        merge.label += (merge.label.empty() ? "Merge " : ", ") + tagName(tag);
    return offer(problem, std::move(merge), cured);
}

bool RepairOffers::offerFollow(Problem& problem, std::span<const Finding> cured)
{
    if (!m_snapshot.training.isTraining())
        return false;
    return offer(problem,
                 {.kind = Repair::Kind::follow,
                  .label = "Let the backward pass follow",
                  .tip = "Put each backward op in the stage of its forward op: two parts per stage, which run in the order of "
                         "the passes"},
                 cured);
}

void RepairOffers::offerToShow(Problem& problem)
{
    problem.repairs.push_back(
        {.kind = Repair::Kind::show, .label = "Show", .tip = "Select in the graph", .nodes = problem.nodes});
}

/// Returns the tag changes of a fix that only retags ops.
std::vector<TagChange> RepairOffers::changesOf(const Repair& repair) const
{
    std::vector<TagChange> changes = repair.changes;
    for (const NodeId id : repair.nodes)
        changes.emplace_back(id, repair.tag);
    if (repair.kind == Repair::Kind::mergeTags)
        for (const NodeId id : m_state.tables().nodes)
            if (m_state.tags()[id] != repair.tag && std::ranges::find(repair.order, m_state.tags()[id]) != repair.order.end())
                changes.emplace_back(id, repair.tag);
    return changes;
}

Findings RepairOffers::after(Repair& repair)
{
    if (repair.kind == Repair::Kind::reorder && m_afterOrder)
        return *m_afterOrder;
    if (needsRecomputation(repair)) {
        const Result<TagAssignment> tags = repaired(m_snapshot, m_state.tags(), repair);
        if (!tags)
            return m_before;
        const std::shared_ptr<const LegalityTables> tables(std::shared_ptr<void>(), &m_state.tables());
        Findings found = LegalityState(tables, *tags).findings();
        if (repair.kind == Repair::Kind::reorder)
            m_afterOrder = found;
        if (repair.kind == Repair::Kind::follow) // both parts of a stage are on one device, which holds each weight once
            std::erase_if(found, [this](const Finding& finding) {
                return finding.kind == Finding::Kind::shared && !std::ranges::binary_search(m_before, finding);
            });
        return found;
    }
    const std::vector<TagChange> changes = changesOf(repair);
    Findings found = m_state.findingsWith(changes, m_before);
    if (repair.kind == Repair::Kind::fillIn && isClean(repair, found)) // a second run includes islands despite the notes
        found = m_state.findingsWith(changes, found);
    for (const Finding& finding : without(found, m_before))
        if (finding.kind == Finding::Kind::emptyTag) { // the tag is removed with the fix
            const auto at = std::ranges::find(m_state.tags().order, InternedString::ofId(finding.a));
            if (repair.kind == Repair::Kind::retag)
                repair.emptied.push_back(static_cast<int>(at - m_state.tags().order.begin()));
            if (repair.kind != Repair::Kind::fillIn)
                std::erase(found, finding);
        }
    return found;
}

std::vector<DeviceLoad> RepairOffers::addOverflows(Findings& found, const Repair& repair) const
{
    std::vector<DeviceLoad> loads;
    if (needsRecomputation(repair)) {
        if (Result<TagAssignment> tags = repaired(m_snapshot, m_state.tags(), repair))
            loads = deviceFit(m_fit->graph, std::move(*tags), m_fit->devices).loads;
    } else {
        loads = loadsAfter(*m_fit, changesOf(repair)); // empty tags occupy no device, so removed tags change nothing
    }
    for (std::size_t device = 0; device < loads.size(); ++device)
        if (loads[device].overflowBytes() > 0)
            found.push_back(overflowOf(device));
    std::ranges::sort(found);
    return loads;
}

void RepairOffers::block(Problem& problem, const Repair& repair, const Findings& found, std::span<const DeviceLoad> loads) const
{
    const auto isSame = [&repair](const BlockedRepair& other) { return other.label == repair.label; };
    if (problem.blocked.size() >= kMaxBlocked || std::ranges::any_of(problem.blocked, isSame))
        return;
    std::string why;
    for (const Finding& finding : without(found, m_before))
        if (finding.kind == Finding::Kind::overflow) {
            const DeviceLoad& load = loads[finding.a];
            why += (why.empty() ? "" : "; ") + describe(m_fit->devices[finding.a]) + " would need "
                + formatBytes(load.usedBytes()) + ", " + formatBytes(load.overflowBytes()) + " too much";
        }
    if (!why.empty())
        problem.blocked.push_back({repair.label, why});
}

void RepairOffers::price(Repair& repair) const
{
    MemorySum weights(m_snapshot.memory.bytes);
    const auto add = [&](NodeId id) {
        ++repair.calls;
        repair.bytes += weights.add(m_snapshot.reads.of(id));
    };
    for (const NodeId id : repair.nodes)
        add(id);
    for (const auto& [id, tag] : repair.changes)
        add(id);
    if (repair.kind != Repair::Kind::mergeTags && repair.kind != Repair::Kind::stages && repair.kind != Repair::Kind::follow)
        return;
    const LegalityTables& tables = m_state.tables();
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        const bool isMerged = repair.kind == Repair::Kind::mergeTags && m_state.tagOf(call) != repair.tag
            && std::ranges::find(repair.order, m_state.tagOf(call)) != repair.order.end();
        const bool isMade = repair.kind == Repair::Kind::follow && m_snapshot.training.isBackwardCall(tables.nodes[call]);
        if (isMerged || isMade || repair.kind == Repair::Kind::stages)
            add(tables.nodes[call]);
    }
}

void sortByPrice(std::vector<Repair>& repairs)
{
    constexpr std::uint64_t kFewOps = 8; // a smaller tag is probably an accident itself
    const auto takesAPart = [](const Repair& repair) { return !repair.emptied.empty() && repair.calls > kFewOps; };
    if (!std::ranges::all_of(repairs, takesAPart))
        std::erase_if(repairs, takesAPart);
    std::ranges::stable_sort(repairs, {}, [](const Repair& repair) { return std::pair(repair.calls, repair.bytes); });
}

} // namespace sunder
