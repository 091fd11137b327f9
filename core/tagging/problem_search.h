#pragma once

#include "analysis/legality/legality_state.h"
#include "analysis/snapshot.h"
#include "tagging/device_fit.h"
#include "tagging/problem.h"
#include "tagging/problems.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Finds fixes for findings. Each fix is tried before it is offered: it must remove its finding and add none, neither errors nor
/// notes. Only filling in tags and letting the backward pass follow may add notes, which they announce. A fix also removes tags
/// that it leaves without ops. A fix for a note or warning must be small: it may move at most a quarter of a part.
class RepairOffers {
public:
    /// `work` is the budget for attempts, in retagged calls, plus 40 per attempt. Fixes beyond the remaining budget are not
    /// offered.
    RepairOffers(const Snapshot& snapshot, LegalityState& state, std::span<const DeviceFit> fits, std::size_t work);

    [[nodiscard]] const LegalityState& state() const { return m_state; }
    [[nodiscard]] std::uint32_t callOf(NodeId id) const { return m_state.tables().callOf[id.index()]; }
    [[nodiscard]] Finding backward(NodeId producer, NodeId consumer) const;
    [[nodiscard]] static Finding overflowOf(std::size_t device);

    /// Offers a fix with its cost if it is clean. Returns whether it was offered.
    bool offer(Problem& problem, Repair repair, std::span<const Finding> cured);
    /// Offers to retag nodes; `first` names them.
    bool offerMove(Problem& problem, std::vector<NodeId> nodes, NodeId first, int tag, std::span<const Finding> cured);
    /// Offers to reorder the tags so that there are no backward edges, if possible.
    bool offerReorder(Problem& problem, std::span<const Finding> cured);
    /// Offers to merge several tags; `tags` must be ascending.
    bool offerMerge(Problem& problem, const std::vector<int>& tags, std::span<const Finding> cured);
    /// Offers to let the backward pass of a joint program follow its forward pass.
    bool offerFollow(Problem& problem, std::span<const Finding> cured);
    /// Always offers to select the nodes of the problem.
    static void offerToShow(Problem& problem);

    /// Returns the current findings, including overflowing devices.
    [[nodiscard]] const Findings& before() const { return m_before; }
    /// Returns the findings after a fix; fills in its `emptied`.
    [[nodiscard]] Findings after(Repair& repair);

private:
    [[nodiscard]] std::vector<TagChange> changesOf(const Repair& repair) const;
    [[nodiscard]] bool isWorthIt(const Problem& problem, const Repair& repair) const;
    [[nodiscard]] bool isClean(const Repair& repair, const Findings& found) const;
    static void describeAdded(Repair& repair, const Findings& added);
    /// Adds the devices that a fix overfills. Returns the loads after the fix.
    std::vector<DeviceLoad> addOverflows(Findings& found, const Repair& repair) const;
    /// Notes that a fix would overfill devices that are not overfull now.
    void block(Problem& problem, const Repair& repair, const Findings& found, std::span<const DeviceLoad> loads) const;
    void price(Repair& repair) const;
    [[nodiscard]] std::string nodeName(NodeId id) const { return m_snapshot.graph()[id].name.str(); }
    [[nodiscard]] std::string tagName(int tag) const { return m_state.tags().order[static_cast<std::size_t>(tag)].str(); }

    const Snapshot& m_snapshot;
    LegalityState& m_state;
    const DeviceFit* m_fit = nullptr; ///< of the tags on the devices
    std::size_t m_work;
    Findings m_before;
    std::optional<std::vector<int>> m_order; ///< the legal order, computed on demand; empty vector: there is none
    std::optional<Findings> m_afterOrder;
};

/// Sorts fixes by cost: by ops, then by bytes. Removes fixes that empty a tag and move more than a few ops if there are
/// alternatives, since users usually want to keep their tags.
void sortByPrice(std::vector<Repair>& repairs);

/// The common state of functions that find problems of tags, and their output.
struct ProblemSearch {
    const Snapshot& snapshot;
    const TagAssignment& tags;
    const TagReport& report;
    const ProblemOptions& options;
    RepairOffers& offers;
    Problems& found;

    [[nodiscard]] const Graph& graph() const { return snapshot.graph(); }
    [[nodiscard]] std::string nodeName(NodeId id) const { return snapshot.graph()[id].name.str(); }
    [[nodiscard]] std::string tagName(int tag) const
    {
        return tag < 0 ? std::string("untagged") : tags.order[static_cast<std::size_t>(tag)].str();
    }
    /// Returns "relu (tag a)".
    [[nodiscard]] std::string withTag(NodeId id, int tag) const { return nodeName(id) + " (tag " + tagName(tag) + ")"; }
    /// Adds a problem; sorts its fixes by cost.
    void add(Problem problem) const
    {
        sortByPrice(problem.repairs);
        if (!problem.nodes.empty())
            RepairOffers::offerToShow(problem);
        found.push_back(std::move(problem));
    }
    /// Adds a problem for those beyond the limit, with their nodes.
    void addMore(Severity severity, std::string text, std::vector<NodeId> nodes) const
    {
        add({.kind = Problem::Kind::more, .severity = severity, .text = std::move(text), .nodes = std::move(nodes)});
    }
};

/// Returns "a, b, c".
std::string joined(const std::vector<std::string>& names);

// Add the problems of each kind, errors first.
void addProof(const ProblemSearch& search);
void addPartNames(const ProblemSearch& search);
void addBackwardEdges(const ProblemSearch& search);
void addCircles(const ProblemSearch& search);
void addHiddenOrders(const ProblemSearch& search);
void addLeftRegions(const ProblemSearch& search);
void addSplitState(const ProblemSearch& search);
void addBoundCrossings(const ProblemSearch& search);
void addCutRegions(const ProblemSearch& search, bool canRepeat);
void addPartForms(const ProblemSearch& search);
void addOverflows(const ProblemSearch& search);
void addUntagged(const ProblemSearch& search);
void addSharedMemory(const ProblemSearch& search);
void addNonTensors(const ProblemSearch& search);
void addNoValues(const ProblemSearch& search);
void addIslands(const ProblemSearch& search);
void addEmptyTags(const ProblemSearch& search);

} // namespace sunder
