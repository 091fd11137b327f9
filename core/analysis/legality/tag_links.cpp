#include "analysis/legality/tag_links.h"

#include "support/strong_components.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <set>

namespace sunder {
namespace {

constexpr std::size_t kMaxSteps = 4'000'000;
constexpr std::size_t kFewTags = 200;

std::uint64_t linkKey(std::int32_t from, std::int32_t to)
{
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32U | static_cast<std::uint32_t>(to);
}

/// Returns the index of the first pair of each tag.
std::vector<std::size_t> beginOfTags(std::span<const TagLinks::Pair> pairs, std::size_t tags)
{
    std::vector<std::size_t> begin(tags + 1, 0);
    for (const auto& [from, to] : pairs)
        ++begin[static_cast<std::size_t>(from) + 1];
    for (std::size_t i = 1; i <= tags; ++i)
        begin[i] += begin[i - 1];
    return begin;
}

/// `begin`: see beginOfTags().
StrongComponents componentsOfTags(std::span<const TagLinks::Pair> pairs, const std::vector<std::size_t>& begin)
{
    return strongComponents(static_cast<std::uint32_t>(begin.size() - 1), [&](std::uint32_t tag) {
        return std::views::transform(pairs.subspan(begin[tag], begin[tag + 1] - begin[tag]), &TagLinks::Pair::second);
    });
}

/// Returns the shortest path from a tag back to itself within its set that avoids earlier tags; empty if none is shorter than
/// `below`.
std::vector<std::int32_t> circleFrom(std::int32_t start, std::span<const TagLinks::Pair> pairs,
                                     const std::vector<std::size_t>& begin, const std::vector<std::uint32_t>& setOf,
                                     std::size_t below)
{
    std::unordered_map<std::int32_t, std::int32_t> cameFrom;
    std::vector<std::int32_t> layer = {start};
    for (std::size_t length = 1; length < below && !layer.empty(); ++length) {
        std::vector<std::int32_t> next;
        for (const std::int32_t tag : layer)
            for (std::size_t i = begin[static_cast<std::size_t>(tag)]; i < begin[static_cast<std::size_t>(tag) + 1]; ++i) {
                const std::int32_t to = pairs[i].second;
                if (to == start) {
                    std::vector<std::int32_t> circle = {tag};
                    while (circle.back() != start)
                        circle.push_back(cameFrom.at(circle.back()));
                    std::ranges::reverse(circle);
                    return circle;
                }
                if (to > start && setOf[static_cast<std::size_t>(to)] == setOf[static_cast<std::size_t>(start)]
                    && cameFrom.try_emplace(to, tag).second)
                    next.push_back(to);
            }
        layer = std::move(next);
    }
    return {};
}

} // namespace

TagLinks::TagLinks(std::size_t tags) : m_tags(tags), m_table(tags <= kFewTags ? tags * tags : 0, 0) {}

void TagLinks::add(std::int32_t from, std::int32_t to)
{
    if (from < 0 || to < 0 || from == to)
        return;
    if (m_tags <= kFewTags)
        ++m_table[static_cast<std::size_t>(from) * m_tags + static_cast<std::size_t>(to)];
    else
        ++m_counts[linkKey(from, to)];
}

void TagLinks::remove(std::int32_t from, std::int32_t to)
{
    if (from < 0 || to < 0 || from == to)
        return;
    if (m_tags <= kFewTags) {
        --m_table[static_cast<std::size_t>(from) * m_tags + static_cast<std::size_t>(to)];
        return;
    }
    const auto at = m_counts.find(linkKey(from, to));
    if (--at->second == 0)
        m_counts.erase(at);
}

std::vector<TagLinks::Pair> TagLinks::pairs() const
{
    std::vector<Pair> found;
    for (std::size_t i = 0; i < m_table.size(); ++i)
        if (m_table[i] != 0)
            found.emplace_back(static_cast<std::int32_t>(i / m_tags), static_cast<std::int32_t>(i % m_tags));
    if (!m_table.empty())
        return found;
    found.reserve(m_counts.size());
    for (const auto& [key, count] : m_counts)
        found.emplace_back(static_cast<std::int32_t>(key >> 32U), static_cast<std::int32_t>(key & 0xffffffffU));
    std::ranges::sort(found);
    return found;
}

std::vector<std::vector<std::int32_t>> shortestCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags)
{
    const std::vector<std::size_t> begin = beginOfTags(pairs, tags);
    const StrongComponents found = componentsOfTags(pairs, begin);
    std::vector<std::vector<std::int32_t>> sets(found.size.size());
    for (std::size_t tag = 0; tag < tags; ++tag)
        sets[found.of[tag]].push_back(static_cast<std::int32_t>(tag));
    std::vector<std::vector<std::int32_t>> circles;
    for (const std::vector<std::int32_t>& set : sets) {
        if (set.size() < 2)
            continue;
        std::size_t steps = 1;
        for (const std::int32_t tag : set)
            steps += begin[static_cast<std::size_t>(tag) + 1] - begin[static_cast<std::size_t>(tag)];
        std::size_t tries = std::max<std::size_t>(1, kMaxSteps / steps);
        std::vector<std::int32_t> best;
        for (const std::int32_t tag : set) {
            if (!best.empty() && (tries == 0 || best.size() == 2))
                break;
            tries -= tries > 0 ? 1 : 0;
            // The search that starts at the first tag of a cycle finds it.
            if (std::vector<std::int32_t> circle = circleFrom(tag, pairs, begin, found.of, best.empty() ? tags + 1 : best.size());
                !circle.empty())
                best = std::move(circle);
        }
        circles.push_back(std::move(best));
    }
    std::ranges::sort(circles);
    return circles;
}

std::vector<std::int32_t> tagsInCircles(std::span<const TagLinks::Pair> pairs, std::size_t tags)
{
    const StrongComponents components = componentsOfTags(pairs, beginOfTags(pairs, tags));
    std::vector<std::int32_t> found;
    for (std::size_t tag = 0; tag < tags; ++tag)
        if (components.size[components.of[tag]] > 1)
            found.push_back(static_cast<std::int32_t>(tag));
    return found;
}

std::vector<int> orderOfTags(std::span<const TagLinks::Pair> pairs, std::size_t tags)
{
    std::vector<int> waiting(tags, 0);
    for (const auto& [from, to] : pairs)
        ++waiting[static_cast<std::size_t>(to)];
    std::set<int> ready; // ordered so that the earliest tag goes first, which moves as little as possible
    for (std::size_t tag = 0; tag < tags; ++tag)
        if (waiting[tag] == 0)
            ready.insert(static_cast<int>(tag));
    const std::vector<std::size_t> begin = beginOfTags(pairs, tags);
    std::vector<int> order;
    while (!ready.empty()) {
        const int tag = *ready.begin();
        ready.erase(ready.begin());
        order.push_back(tag);
        for (std::size_t i = begin[static_cast<std::size_t>(tag)]; i < begin[static_cast<std::size_t>(tag) + 1]; ++i)
            if (const int to = pairs[i].second; --waiting[static_cast<std::size_t>(to)] == 0)
                ready.insert(to);
    }
    return order.size() == tags ? order : std::vector<int>();
}

} // namespace sunder
