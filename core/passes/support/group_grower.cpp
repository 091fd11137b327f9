#include "passes/support/group_grower.h"

#include <algorithm>
#include <bit>
#include <utility>

// The growing step of torch.fx's CapabilityBasedPartitioner (torch/fx/passes/infra/partitioner.py). PyTorch walks the graph from the
// users of both groups for each pair that it tries to merge, which is cubic. Here, nodes and groups are bits:
//
// - Bit 0 is the last node of the graph. Groups are named by their rank, the bit of their last op: the rank of a merged group is the
//   smaller one, so candidates by ascending rank are the bits of a set in order.
// - PyTorch's groups are convex, so "a path leaves both groups and comes back" is: an input of one group, outside of it, is below
//   the other. Sets of nodes below a group and of its inputs are unions over its members.
// - Groups below that are not users fail that test without looking at it, and a pair that failed once fails until one of its groups
//   merges with another group. Most candidates are thus excluded 64 at a time.
// - PyTorch also stores for each group the ids of known groups below it, and does not update them when a group merges into another.
//   Stale ids match no group, so they are dropped. The union of `known` over the groups below follows the most recently updated
//   groups first: their sets contain those of older groups below them.
//
// With `isExact`, sets of nodes below a group also contain the nodes below groups on the way, and are kept up to date.

namespace sunder {
namespace {

using BitWord = std::uint64_t;

std::size_t wordOf(std::uint32_t bit)
{
    return bit / 64U;
}

BitWord maskOf(std::uint32_t bit)
{
    return BitWord{1} << (bit % 64U);
}

bool hasBit(const BitWord* row, std::uint32_t bit)
{
    return (row[wordOf(bit)] & maskOf(bit)) != 0;
}

void setBit(BitWord* row, std::uint32_t bit)
{
    row[wordOf(bit)] |= maskOf(bit);
}

void clearBit(BitWord* row, std::uint32_t bit)
{
    row[wordOf(bit)] &= ~maskOf(bit);
}

void addBits(BitWord* to, const BitWord* from, std::size_t words)
{
    for (std::size_t w = 0; w < words; ++w)
        to[w] |= from[w];
}

bool bitsMeet(const BitWord* a, const BitWord* b, std::size_t first, std::size_t end)
{
    for (std::size_t w = first; w < end; ++w)
        if ((a[w] & b[w]) != 0)
            return true;
    return false;
}

/// Calls `visit(bit)` for the bits of a word.
template <typename Visit>
void forEachBit(BitWord bits, std::size_t word, const Visit& visit)
{
    for (; bits != 0; bits &= bits - 1)
        visit(static_cast<std::uint32_t>(word * 64U) + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

} // namespace

GroupGrower::GroupGrower(const SupportGraph& graph, const GrowOptions& options)
    : m_graph(graph), m_options(options), m_count(graph.size()), m_words((graph.size() + 63U) / 64U), m_owner(m_count, kNoGroup),
      m_groupAt(m_count, kNoGroup), m_rowAt(m_count, kNoGroup), m_readers(m_count, 0), m_ranks(m_words, 0),
      m_multiple(m_words, 0), m_anyKnown(m_words, 0), m_knownBelow(m_words, 0), m_remaining(m_words, 0)
{
    for (std::uint32_t bit = 0; bit < m_count; ++bit)
        m_readers[bit] = static_cast<std::uint32_t>(m_graph.inputs[positionOf(bit)].size());
}

void GroupGrower::visit(std::uint32_t bit, bool isSupported)
{
    m_used = wordOf(bit) + 1;
    findBelow(bit);
    if (isSupported) {
        const std::uint32_t created = create(bit);
        m_options.isHorizontal ? mergeByRank(created, 0) : mergeWithUsers(created, bit);
    } else if (m_options.isHorizontal) {
        mergeFirst();
    }
    releaseRows(bit);
}

void GroupGrower::follow(const GroupGrower& other)
{
    for (Group& group : m_groups)
        group.dirty = std::max(group.dirty, m_used);
    m_used = other.m_used;
    m_freeGroups = other.m_freeGroups;
    for (std::size_t extra = other.m_groups.size(); extra < m_groups.size(); ++extra)
        m_freeGroups.push_back(static_cast<std::uint32_t>(extra));
    m_groups.resize(std::max(m_groups.size(), other.m_groups.size()));
    for (std::size_t index = 0; index < other.m_groups.size(); ++index)
        followGroup(m_groups[index], other.m_groups[index]);
    m_freeRows = other.m_freeRows;
    for (std::size_t extra = other.m_rows.size(); extra < m_rows.size(); ++extra)
        m_freeRows.push_back(static_cast<std::uint32_t>(extra));
    m_rows.resize(std::max(m_rows.size(), other.m_rows.size()));
    std::ranges::copy(other.m_rows, m_rows.begin());
    m_owner = other.m_owner;
    m_groupAt = other.m_groupAt;
    m_rowAt = other.m_rowAt;
    m_readers = other.m_readers;
    m_ranks = other.m_ranks;
    m_multiple = other.m_multiple;
    m_anyKnown = other.m_anyKnown;
    m_latest = other.m_latest;
}

std::vector<std::uint32_t> GroupGrower::groups() const
{
    std::vector<std::uint32_t> groupOf(m_count);
    for (std::uint32_t bit = 0; bit < m_count; ++bit)
        groupOf[positionOf(bit)] = m_owner[bit];
    return groupOf;
}

bool GroupGrower::isBelow(std::uint32_t upper, std::uint32_t lower)
{
    return hasBit(row(upper, groupsBelow), m_groups[lower].rank);
}

// Nodes below a node ----------------------------------------------------------------------

void GroupGrower::findBelow(std::uint32_t bit)
{
    if (m_freeRows.empty()) {
        m_freeRows.push_back(static_cast<std::uint32_t>(m_rows.size()));
        m_rows.emplace_back(m_words);
    }
    m_rowAt[bit] = m_freeRows.back();
    m_freeRows.pop_back();
    BitWord* found = m_rows[m_rowAt[bit]].data();
    std::fill_n(found, m_used, 0);
    for (const std::uint32_t position : m_graph.users[positionOf(bit)]) {
        const std::uint32_t user = bitOf(position);
        addBits(found, m_rows[m_rowAt[user]].data(), wordOf(user) + 1);
        setBit(found, user);
    }
}

void GroupGrower::releaseRows(std::uint32_t bit)
{
    const auto release = [this](std::uint32_t of) { m_freeRows.push_back(m_rowAt[of]); };
    for (const std::uint32_t position : m_graph.users[positionOf(bit)])
        if (--m_readers[bitOf(position)] == 0)
            release(bitOf(position));
    if (m_readers[bit] == 0)
        release(bit);
}

// Groups ----------------------------------------------------------------------------------

void GroupGrower::followGroup(Group& to, const Group& from) const
{
    std::vector<BitWord> bits = std::move(to.bits);
    bits.resize(from.bits.size());
    for (std::size_t which = 0; which < rowCount; ++which) {
        const std::size_t start = which * m_words;
        std::copy_n(from.bits.data() + start, which == inputs ? m_words : m_used, bits.data() + start);
        if (which != inputs && to.dirty > m_used)
            std::fill_n(bits.data() + start + m_used, to.dirty - m_used, 0);
    }
    to = {.bits = std::move(bits),
          .list = from.list,
          .rank = from.rank,
          .end = from.end,
          .dirty = m_used,
          .isNew = from.isNew,
          .before = from.before,
          .after = from.after};
}

std::uint32_t GroupGrower::create(std::uint32_t bit)
{
    if (m_freeGroups.empty()) {
        m_freeGroups.push_back(static_cast<std::uint32_t>(m_groups.size()));
        m_groups.emplace_back().bits.resize(m_words * rowCount);
    }
    const std::uint32_t index = m_freeGroups.back();
    m_freeGroups.pop_back();
    Group& group = m_groups[index];
    for (std::size_t which = 0; which < rowCount; ++which)
        std::fill_n(row(index, static_cast<Row>(which)), which == inputs ? m_words : group.dirty, 0);
    group.list = {bit};
    group.rank = bit;
    group.end = m_used;
    group.isNew = true;
    m_owner[bit] = index;
    setBit(row(index, members), bit);
    for (const std::uint32_t position : m_graph.inputs[positionOf(bit)])
        setBit(row(index, inputs), bitOf(position));
    std::copy_n(m_rows[m_rowAt[bit]].data(), m_used, row(index, below));
    for (const std::uint32_t position : m_graph.users[positionOf(bit)])
        if (const std::uint32_t owner = m_owner[bitOf(position)]; owner != kNoGroup)
            setBit(row(index, next), m_groups[owner].rank);
    findGroupsBelow(index);
    if (m_options.isExact)
        addBelowGroups(index);
    else
        learn(index);
    return index;
}

void GroupGrower::findGroupsBelow(std::uint32_t index)
{
    const BitWord* nodes = row(index, below);
    BitWord* found = row(index, groupsBelow);
    for (std::size_t w = 0; w < m_used; ++w) {
        found[w] = m_ranks[w] & nodes[w];
        forEachBit(m_multiple[w] & ~nodes[w], w, [&](std::uint32_t rank) {
            const std::uint32_t other = m_groupAt[rank];
            if (bitsMeet(row(other, members), nodes, w, m_groups[other].end))
                setBit(found, rank);
        });
    }
}

void GroupGrower::addBelowGroups(std::uint32_t index)
{
    BitWord* nodes = row(index, below);
    BitWord* found = row(index, groupsBelow);
    std::copy_n(found, m_used, m_remaining.data());
    for (std::size_t w = m_used; w-- > 0;)
        while (m_remaining[w] != 0) {
            const auto rank = static_cast<std::uint32_t>(w * 64U) + 63U
                - static_cast<std::uint32_t>(std::countl_zero(m_remaining[w]));
            const std::uint32_t other = m_groupAt[rank];
            addBits(nodes, row(other, members), m_used);
            addBits(nodes, row(other, below), m_used);
            addBits(found, row(other, groupsBelow), m_used);
            clearBit(m_remaining.data(), rank);
            for (std::size_t i = 0; i <= w; ++i)
                m_remaining[i] &= ~row(other, groupsBelow)[i];
        }
}

void GroupGrower::findKnownBelow(std::uint32_t index)
{
    std::ranges::fill(m_knownBelow, 0);
    std::copy_n(row(index, groupsBelow), m_used, m_remaining.data());
    const auto isLeft = [this] {
        return std::any_of(m_remaining.begin(), m_remaining.begin() + static_cast<std::ptrdiff_t>(m_used),
                           [](BitWord word) { return word != 0; });
    };
    bool isAnyLeft = isLeft();
    for (std::uint32_t other = m_latest; isAnyLeft && other != kNoGroup; other = m_groups[other].after) {
        if (!hasBit(m_remaining.data(), m_groups[other].rank))
            continue;
        addBits(m_knownBelow.data(), row(other, known), m_used);
        clearBit(m_remaining.data(), m_groups[other].rank);
        const BitWord* covered = row(other, groupsBelow);
        BitWord left = 0;
        for (std::size_t w = 0; w < m_used; ++w)
            left |= m_remaining[w] &= ~covered[w];
        isAnyLeft = left != 0;
    }
}

void GroupGrower::learn(std::uint32_t index)
{
    findKnownBelow(index);
    BitWord* knows = row(index, known);
    const BitWord* found = row(index, groupsBelow);
    for (std::size_t w = 0; w < m_used; ++w)
        knows[w] |= found[w] | m_knownBelow[w];
}

void GroupGrower::link(std::uint32_t index)
{
    Group& group = m_groups[index];
    group.before = kNoGroup;
    group.after = m_latest;
    if (m_latest != kNoGroup)
        m_groups[m_latest].before = index;
    m_latest = index;
}

void GroupGrower::unlink(std::uint32_t index)
{
    const Group& group = m_groups[index];
    (group.before == kNoGroup ? m_latest : m_groups[group.before].after) = group.after;
    if (group.after != kNoGroup)
        m_groups[group.after].before = group.before;
}

void GroupGrower::settle(std::uint32_t index)
{
    Group& group = m_groups[index];
    group.isNew = false;
    link(index);
    setBit(m_ranks.data(), group.rank);
    m_groupAt[group.rank] = index;
    addBits(m_anyKnown.data(), row(index, known), m_used); // not before: a new group may merge at once
}

// Merging ---------------------------------------------------------------------------------

void GroupGrower::mergeByRank(std::uint32_t index, std::uint32_t from)
{
    for (std::uint32_t rank = firstFit(index, from); rank != kNoGroup; rank = firstFit(index, from)) {
        from = rank + 1;
        index = merge(index, m_groupAt[rank]);
    }
    if (m_groups[index].isNew)
        settle(index);
}

void GroupGrower::mergeFirst()
{
    const auto word = std::ranges::find_if(m_ranks, [](BitWord bits) { return bits != 0; });
    if (word == m_ranks.end())
        return;
    const auto rank = static_cast<std::uint32_t>((word - m_ranks.begin()) * 64 + std::countr_zero(*word));
    if (!m_options.isExact)
        findKnownBelow(m_groupAt[rank]);
    mergeByRank(m_groupAt[rank], rank + 1);
}

void GroupGrower::mergeWithUsers(std::uint32_t index, std::uint32_t bit)
{
    std::vector<std::uint32_t> others;
    for (const std::uint32_t position : m_graph.users[positionOf(bit)])
        if (const std::uint32_t owner = m_owner[bitOf(position)];
            owner != kNoGroup && std::ranges::find(others, owner) == others.end())
            others.push_back(owner);
    for (const std::uint32_t other : others)
        if (!makesCycle(index, other))
            index = merge(index, other);
    if (m_groups[index].isNew)
        settle(index);
}

std::uint32_t GroupGrower::firstFit(std::uint32_t index, std::uint32_t from)
{
    const std::uint32_t own = m_groups[index].rank;
    for (std::size_t w = wordOf(from); w < m_used; ++w) {
        BitWord* failures = row(index, failed) + w;
        const BitWord start = w == wordOf(from) ? ~BitWord{0} << (from % 64U) : ~BitWord{0};
        const BitWord notNext = row(index, groupsBelow)[w] & ~row(index, next)[w];
        BitWord left = m_ranks[w] & start & ~*failures & ~notNext & ~m_knownBelow[w];
        if (w == wordOf(own))
            left &= ~maskOf(own);
        for (; left != 0; left &= left - 1) {
            const auto rank = static_cast<std::uint32_t>(w * 64U) + static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t other = m_groupAt[rank];
            if (!hasBit(row(other, failed), own) && !makesCycle(index, other))
                return rank;
        }
        *failures |= m_ranks[w] & start;
    }
    return kNoGroup;
}

bool GroupGrower::makesCycle(std::uint32_t a, std::uint32_t b)
{
    const std::uint32_t rankA = m_groups[a].rank;
    const std::uint32_t rankB = m_groups[b].rank;
    if (isBelow(a, b) && bitsMeet(row(b, inputs), row(a, below), wordOf(rankB), m_used))
        return true;
    if (isBelow(b, a) && bitsMeet(row(a, inputs), row(b, below), wordOf(rankA), m_used))
        return true;
    if (m_options.isExact || (!hasBit(m_anyKnown.data(), rankA) && !hasBit(m_anyKnown.data(), rankB)))
        return false;
    for (std::size_t w = 0; w < m_used; ++w)
        for (BitWord bits = row(a, groupsBelow)[w] | row(b, groupsBelow)[w]; bits != 0; bits &= bits - 1) {
            const auto rank = static_cast<std::uint32_t>(w * 64U) + static_cast<std::uint32_t>(std::countr_zero(bits));
            if (rank == rankA || rank == rankB)
                continue;
            const BitWord* knows = row(m_groupAt[rank], known);
            if (hasBit(knows, rankA) || hasBit(knows, rankB))
                return true;
        }
    return false;
}

std::uint32_t GroupGrower::merge(std::uint32_t a, std::uint32_t b)
{
    const bool isSmaller = m_groups[a].list.size() < m_groups[b].list.size();
    const std::uint32_t index = isSmaller ? b : a; // PyTorch keeps its id
    const std::uint32_t gone = isSmaller ? a : b;
    const std::uint32_t rank = std::min(m_groups[a].rank, m_groups[b].rank);
    const std::uint32_t other = std::max(m_groups[a].rank, m_groups[b].rank);
    for (const std::uint32_t one : {a, b})
        if (!m_groups[one].isNew)
            unlink(one);
    if (m_groups[index].isNew && !hasBit(m_anyKnown.data(), rank)) {
        std::copy_n(row(gone, failed), m_words, row(index, failed)); // the old group has a new id, which is in no set
    } else if (!m_groups[gone].isNew) { // otherwise no other group refers to it
        renameRanks(m_groups[index].rank, rank, other);
        std::fill_n(row(index, failed), m_words, 0);
    }
    joinRows(index, gone);
    for (const Row which : {groupsBelow, next, known}) {
        clearBit(row(index, which), rank);
        clearBit(row(index, which), other);
    }
    Group& group = m_groups[index];
    for (const std::uint32_t member : m_groups[gone].list)
        m_owner[member] = index;
    group.list.insert(group.list.end(), m_groups[gone].list.begin(), m_groups[gone].list.end());
    group.end = std::max(group.end, m_groups[gone].end);
    clearBit(m_ranks.data(), other);
    clearBit(m_multiple.data(), other);
    setBit(m_multiple.data(), rank);
    group.rank = rank;
    m_groups[gone].dirty = m_used;
    m_freeGroups.push_back(gone);
    if (m_options.isExact)
        addBelowAbove(index);
    else
        learn(index);
    settle(index);
    return index;
}

void GroupGrower::renameRanks(std::uint32_t kept, std::uint32_t rank, std::uint32_t other)
{
    const auto keep = [&](BitWord* knows) {
        const bool isKnown = hasBit(knows, kept);
        clearBit(knows, rank);
        clearBit(knows, other);
        if (isKnown)
            setBit(knows, rank);
    };
    keep(m_anyKnown.data());
    for (std::uint32_t one = m_latest; one != kNoGroup; one = m_groups[one].after) {
        keep(row(one, known));
        clearBit(row(one, failed), rank);
        clearBit(row(one, failed), other);
        for (const Row which : {groupsBelow, next})
            if (hasBit(row(one, which), other)) {
                clearBit(row(one, which), other);
                setBit(row(one, which), rank);
            }
    }
}

void GroupGrower::joinRows(std::uint32_t index, std::uint32_t gone)
{
    for (const Row which : {members, groupsBelow, next, known})
        addBits(row(index, which), row(gone, which), m_used);
    const BitWord* inside = row(index, members);
    for (const Row which : {inputs, below}) {
        BitWord* to = row(index, which);
        const BitWord* from = row(gone, which);
        for (std::size_t w = 0; w < m_words; ++w)
            to[w] = (to[w] | from[w]) & ~inside[w];
    }
}

void GroupGrower::addBelowAbove(std::uint32_t index)
{
    for (std::uint32_t one = m_latest; one != kNoGroup; one = m_groups[one].after) {
        if (!isBelow(one, index))
            continue;
        addBits(row(one, below), row(index, members), m_used);
        addBits(row(one, below), row(index, below), m_used);
        addBits(row(one, groupsBelow), row(index, groupsBelow), m_used);
    }
}

} // namespace sunder
