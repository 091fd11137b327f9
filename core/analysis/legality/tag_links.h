#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {

/// Tags as nodes of a graph of their own: how many edges and hidden orders lead from one to another.
class TagLinks {
public:
    using Pair = std::pair<std::int32_t, std::int32_t>; ///< from, to

    explicit TagLinks(std::size_t tags = 0);
    /// Notes one link more, or one less. O(1). Tags that are equal or below 0 are no link.
    void add(std::int32_t from, std::int32_t to);
    void remove(std::int32_t from, std::int32_t to);
    /// Sorted. O(pairs · log), of few tags O(tags²).
    [[nodiscard]] std::vector<Pair> pairs() const;

private:
    std::size_t m_tags = 0;
    std::vector<std::uint32_t> m_table; ///< by from · tags + to, of few tags; of many there is the other one
    std::unordered_map<std::uint64_t, std::uint32_t> m_counts; ///< never 0
};

/// Circles among tags: for each set of tags that all lead to each other, a shortest circle of it, as tags in order of the
/// circle, its least one first; the sets by their least tags. Of equally short ones, the one that begins at the least tag and
/// goes on to the least. `pairs` are sorted. O(tags + pairs), and for each set its tags × pairs; in sets for which that is above
/// four million only as many tags are tried as that allows, so that the circle may be longer than need be.
std::vector<std::vector<std::int32_t>> shortestCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags);

/// All tags that some other tag leads to and that lead to it, ascending. A link less takes some away and never adds one. `pairs`
/// are sorted. O(tags + pairs).
std::vector<std::int32_t> tagsInCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags);

/// An order of the tags (old indices) in which all pairs lead forwards, as near to the present one as can be; empty when there
/// is a circle. `pairs` are sorted. O(pairs + tags · log).
std::vector<int> orderOfTags(std::span<const TagLinks::Pair> pairs, std::size_t tags);

} // namespace sunder
