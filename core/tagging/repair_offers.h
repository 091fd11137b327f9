#pragma once

#include "analysis/legality/legality_state.h"
#include "analysis/snapshot.h"
#include "tagging/device_fit.h"
#include "tagging/problem.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Finds repairs of findings. A repair is tried before it is offered: it removes what it is offered for, and adds nothing, be it an
/// error or a note; filling in alone may show notes of ops that had no tag, and tells them. What it leaves without ops goes with
/// it. A note or a warning is worth a few ops, not a part: what would move more than a quarter of one is not offered.
class RepairOffers {
public:
    /// `work` bounds what is tried, in calls that are tagged anew; each repair counts 40 more. What would take more than is left
    /// is not offered.
    RepairOffers(const Snapshot& snapshot, LegalityState& state, std::span<const DeviceFit> fits, std::size_t work);

    [[nodiscard]] const LegalityState& state() const { return m_state; }
    [[nodiscard]] std::uint32_t callOf(NodeId id) const { return m_state.tables().callOf[id.index()]; }
    [[nodiscard]] Finding backward(NodeId producer, NodeId consumer) const;
    [[nodiscard]] static Finding overflowOf(std::size_t device);

    /// Offers what is clean, with its price. True when it was offered.
    bool offer(Problem& problem, Repair repair, std::span<const Finding> cured);
    /// To give nodes a tag; `first` names them.
    bool offerMove(Problem& problem, std::vector<NodeId> nodes, NodeId first, int tag, std::span<const Finding> cured);
    /// An order of the tags in which nothing runs backwards, where there is one.
    bool offerReorder(Problem& problem, std::span<const Finding> cured);
    /// To make one of several tags; `tags` ascending.
    bool offerMerge(Problem& problem, const std::vector<int>& tags, std::span<const Finding> cured);
    /// To let the backward pass of a joint program follow its forward pass.
    bool offerFollow(Problem& problem, std::span<const Finding> cured);
    /// To lead to what the problem is about. Always.
    static void offerToShow(Problem& problem);

    /// What is found, devices that overflow among it.
    [[nodiscard]] const Findings& before() const { return m_before; }
    /// What is found with a repair. Its `emptied` are put in.
    [[nodiscard]] Findings after(Repair& repair);

private:
    [[nodiscard]] std::vector<TagChange> changesOf(const Repair& repair) const;
    [[nodiscard]] bool isWorthIt(const Problem& problem, const Repair& repair) const;
    [[nodiscard]] bool isClean(const Repair& repair, const Findings& found) const;
    static void tellAdded(Repair& repair, const Findings& added);
    void addOverflows(Findings& found, const Repair& repair) const;
    void price(Repair& repair) const;
    [[nodiscard]] std::string nodeName(NodeId id) const { return m_snapshot.graph()[id].name.str(); }
    [[nodiscard]] std::string tagName(int tag) const { return m_state.tags().order[static_cast<std::size_t>(tag)].str(); }

    const Snapshot& m_snapshot;
    LegalityState& m_state;
    const DeviceFit* m_fit = nullptr; ///< of the tags on the devices
    std::size_t m_work;
    Findings m_before;
    std::optional<std::vector<int>> m_order; ///< legal, once it was asked for; empty: there is none
    std::optional<Findings> m_afterOrder;
};

/// The cheapest first: by ops, then by bytes. A person means the tags that there are: repairs that take one away with more than
/// a few ops are left out where there is another.
void sortByPrice(std::vector<Repair>& repairs);

} // namespace sunder
