#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// A graph of tags: the number of edges and runtime order dependencies from each tag to each other tag.
class TagLinks {
public:
    using Pair = std::pair<std::int32_t, std::int32_t>; ///< from, to

    explicit TagLinks(std::size_t tags = 0);
    /// Add or remove one link. O(1). Ignores equal tags and tags below 0.
    void add(std::int32_t from, std::int32_t to);
    void remove(std::int32_t from, std::int32_t to);
    /// Returns the linked pairs, sorted. O(pairs × log); for few tags O(tags²).
    [[nodiscard]] std::vector<Pair> pairs() const;

private:
    std::size_t m_tags = 0;
    std::vector<std::uint32_t> m_table; ///< by from · tags + to, if there are few tags; otherwise m_counts is used
    std::unordered_map<std::uint64_t, std::uint32_t> m_counts; ///< never 0
};

/// Returns a shortest cycle for each strongly connected set of tags, as tags in cycle order from the earliest one. Sets are
/// sorted by their first tags. In a tie, the cycle that starts at the earliest tag is preferred, then the one that continues to
/// the earliest. `pairs` must be sorted. O(tags + pairs), plus tags × pairs of each set. Above four million steps per set, only
/// some start tags are tried, so the cycle may be longer than necessary.
std::vector<std::vector<std::int32_t>> shortestCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags);

/// Returns all tags that are part of a cycle, ascending. Removing a link never adds tags. `pairs` must be sorted. O(tags +
/// pairs).
std::vector<std::int32_t> tagsInCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags);

/// Returns an order of the tags (old indices) in which all pairs lead forward, as close to the present order as possible; empty
/// if there is a cycle. `pairs` must be sorted. O(pairs + tags × log).
std::vector<int> orderOfTags(std::span<const TagLinks::Pair> pairs, std::size_t tags);

} // namespace sunder
