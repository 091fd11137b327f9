#pragma once

#include "passes/support/grow_groups.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder {

/// Grows groups of supported nodes from the end of a graph to its start; see growGroups(). Bit 0 is the last node.
class GroupGrower final {
public:
    GroupGrower(const SupportGraph& graph, const GrowOptions& options);

    /// Visits the next node from the end.
    void visit(std::uint32_t bit, bool isSupported);
    /// Takes the state of another grower of the same graph. Reuses memory.
    void follow(const GroupGrower& other);
    /// Returns the group of every position once all nodes are visited.
    [[nodiscard]] std::vector<std::uint32_t> groups() const;

private:
    using BitWord = std::uint64_t;
    static constexpr std::uint32_t kNoGroup = SupportParts::kNone;

    enum Row : std::size_t {
        members, ///< nodes
        inputs, ///< nodes outside that members read
        below, ///< nodes outside that can be reached from members
        groupsBelow, ///< ranks of groups with a node below
        next, ///< ranks of groups that read members
        known, ///< ranks of groups that PyTorch knows to be below
        failed, ///< ranks of groups that it cannot be merged with
        rowCount,
    };

    struct Group {
        std::vector<BitWord> bits;
        std::vector<std::uint32_t> list; ///< members
        std::uint32_t rank = 0;
        std::size_t end = 0; ///< word after the last member
        std::size_t dirty = 0; ///< of a free group: word behind which all rows but `inputs` are 0
        bool isNew = true; ///< not in m_ranks yet
        std::uint32_t before = kNoGroup; ///< list of groups by update of `known`, the latest first
        std::uint32_t after = kNoGroup;
    };

    [[nodiscard]] std::uint32_t positionOf(std::uint32_t bit) const { return m_count - 1 - bit; }
    [[nodiscard]] std::uint32_t bitOf(std::uint32_t position) const { return m_count - 1 - position; }
    BitWord* row(std::uint32_t group, Row which) { return m_groups[group].bits.data() + which * m_words; }
    bool isBelow(std::uint32_t upper, std::uint32_t lower);

    // Nodes below a node ----------------------------------------------------------------------

    /// Computes the nodes below a node. The rows of nodes whose inputs have all been visited are reused.
    void findBelow(std::uint32_t bit);
    void releaseRows(std::uint32_t bit);

    // Groups ----------------------------------------------------------------------------------

    void followGroup(Group& to, const Group& from) const;
    std::uint32_t create(std::uint32_t bit);
    void findGroupsBelow(std::uint32_t index);
    /// Adds the nodes below the groups below, for the exact test.
    void addBelowGroups(std::uint32_t index);
    /// Computes m_knownBelow: the union of `known` over the groups below.
    void findKnownBelow(std::uint32_t index);
    /// Updates `known`, and m_knownBelow.
    void learn(std::uint32_t index);
    void link(std::uint32_t index);
    void unlink(std::uint32_t index);
    void settle(std::uint32_t index);

    // Merging ---------------------------------------------------------------------------------

    /// Merges a new group with all others that it can be merged with, by rank. After a merge, it continues with the result and higher ranks.
    void mergeByRank(std::uint32_t index, std::uint32_t from);
    /// Merges the group with the smallest rank with others.
    void mergeFirst();
    void mergeWithUsers(std::uint32_t index, std::uint32_t bit);
    /// Returns the first rank from `from` on of a group that can be merged with a group. m_knownBelow must be up to date.
    std::uint32_t firstFit(std::uint32_t index, std::uint32_t from);
    bool makesCycle(std::uint32_t a, std::uint32_t b);
    std::uint32_t merge(std::uint32_t a, std::uint32_t b);
    /// Replaces the ranks of two groups that merge in the rows of all others. `kept`: the rank of the group that keeps PyTorch's id.
    void renameRanks(std::uint32_t kept, std::uint32_t rank, std::uint32_t other);
    void joinRows(std::uint32_t index, std::uint32_t gone);
    /// For the exact test: a group has grown; adds the nodes below it to the groups above it.
    void addBelowAbove(std::uint32_t index);

    const SupportGraph& m_graph;
    GrowOptions m_options;
    std::uint32_t m_count;
    std::size_t m_words;
    std::size_t m_used = 0; ///< words of the nodes visited so far
    std::vector<Group> m_groups;
    std::vector<std::uint32_t> m_freeGroups;
    std::vector<std::uint32_t> m_owner; ///< per bit: its group
    std::vector<std::uint32_t> m_groupAt; ///< per rank
    std::vector<std::vector<BitWord>> m_rows; ///< nodes below a node
    std::vector<std::uint32_t> m_freeRows;
    std::vector<std::uint32_t> m_rowAt; ///< per bit: its index in m_rows
    std::vector<std::uint32_t> m_readers; ///< per bit: inputs that have not been visited
    std::vector<BitWord> m_ranks; ///< of all groups but the new one
    std::vector<BitWord> m_multiple; ///< of groups with several members
    std::vector<BitWord> m_anyKnown; ///< ranks that some group may know
    std::vector<BitWord> m_knownBelow; ///< of the group whose candidates are tried
    std::vector<BitWord> m_remaining; ///< scratch
    std::uint32_t m_latest = kNoGroup;
};

} // namespace sunder
