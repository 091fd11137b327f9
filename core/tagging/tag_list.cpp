#include "tagging/tag_list.h"

#include "analysis/part_names.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <string>

namespace sunder {
namespace {

/// Returns, per tag, the tags that depend on it, ascending.
std::vector<std::vector<int>> needingTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::vector<int>> needing(tags.order.size());
    for (const NodeId id : graph.nodes()) {
        const int to = tags[id];
        if (to < 0 || !graph[id].isCall())
            continue;
        for (const NodeId input : graph.inputs(id))
            if (const int from = tags[input]; graph[input].isCall() && from >= 0 && from != to)
                if (std::vector<int>& others = needing[static_cast<std::size_t>(from)]; others.empty() || others.back() != to)
                    others.push_back(to);
    }
    for (std::vector<int>& others : needing) {
        std::ranges::sort(others);
        const auto twice = std::ranges::unique(others);
        others.erase(twice.begin(), twice.end());
    }
    return needing;
}

/// Returns the shortest cycle through a tag, starting with it; empty if there is none.
std::vector<int> circleThrough(const std::vector<std::vector<int>>& needing, int start)
{
    std::vector<int> before(needing.size(), -1);
    std::vector<int> reached{start};
    for (std::size_t at = 0; at < reached.size(); ++at)
        for (const int next : needing[static_cast<std::size_t>(reached[at])]) {
            if (next == start) {
                std::vector<int> circle;
                for (int step = reached[at]; step != start; step = before[static_cast<std::size_t>(step)])
                    circle.push_back(step);
                circle.push_back(start);
                std::ranges::reverse(circle);
                return circle;
            }
            if (int& from = before[static_cast<std::size_t>(next)]; from < 0) {
                from = reached[at];
                reached.push_back(next);
            }
        }
    return {};
}

std::vector<int> shortestCircle(const Graph& graph, const TagAssignment& tags)
{
    const std::vector<std::vector<int>> needing = needingTags(graph, tags);
    std::vector<int> shortest;
    for (std::size_t tag = 0; tag < needing.size(); ++tag)
        if (std::vector<int> circle = circleThrough(needing, static_cast<int>(tag));
            !circle.empty() && (shortest.empty() || circle.size() < shortest.size()))
            shortest = std::move(circle);
    return shortest;
}

std::string nameOf(const TagAssignment& tags, int tag)
{
    return tags.order[static_cast<std::size_t>(tag)].str();
}

} // namespace

TagAssignment reordered(const TagAssignment& tags, std::span<const int> order)
{
    TagAssignment other = tags;
    std::vector<std::int32_t> newIndex(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto old = static_cast<std::size_t>(order[i]);
        newIndex[old] = static_cast<std::int32_t>(i);
        other.order[i] = tags.order[old];
    }
    for (std::int32_t& tag : other.tagOf)
        if (tag >= 0)
            tag = newIndex[static_cast<std::size_t>(tag)];
    return other;
}

TagAssignment withoutTag(const TagAssignment& tags, int tag)
{
    TagAssignment other = tags;
    other.order.erase(other.order.begin() + tag);
    for (std::int32_t& of : other.tagOf) {
        if (of == tag)
            of = TagAssignment::kUntagged;
        else if (of > tag)
            --of;
    }
    return other;
}

TagAssignment mergedTags(const TagAssignment& tags, int from, int into)
{
    TagAssignment other = tags;
    std::ranges::replace(other.tagOf, from, into);
    return withoutTag(other, from);
}

TagNameFault faultOfTagName(const Graph& graph, const TagAssignment& tags, int tag, std::string_view name)
{
    if (name.empty())
        return TagNameFault::empty;
    if (name.find_first_of(".\n") != std::string_view::npos)
        return TagNameFault::dot;
    if (whyNoPartName(graph, name))
        return TagNameFault::reserved;
    const int other = tagCalled(tags, name);
    return other >= 0 && other != tag ? TagNameFault::taken : TagNameFault::none;
}

int tagCalled(const TagAssignment& tags, std::string_view name)
{
    const auto at = std::ranges::find(tags.order, name, &InternedString::view);
    return at == tags.order.end() ? -1 : static_cast<int>(at - tags.order.begin());
}

Result<std::vector<int>> tagOrderOf(const TagAssignment& tags, std::span<const std::string_view> names)
{
    std::vector<int> order;
    for (const std::string_view name : names) {
        const int tag = tagCalled(tags, name);
        if (tag < 0)
            return fail(ErrorCode::refused, "unknown tag \"" + std::string(name) + "\" in the order");
        if (std::ranges::find(order, tag) != order.end())
            return fail(ErrorCode::refused, "duplicate tag \"" + std::string(name) + "\" in the order");
        order.push_back(tag);
    }
    for (int tag = 0; tag < static_cast<int>(tags.order.size()); ++tag)
        if (std::ranges::find(order, tag) == order.end())
            return fail(ErrorCode::refused, "the order is missing the tag \"" + nameOf(tags, tag) + '"');
    return order;
}

Result<std::vector<int>> topologicalTagOrder(const Graph& graph, const TagAssignment& tags)
{
    std::vector<int> order = legalTagOrder(graph, tags);
    if (order.size() == tags.order.size())
        return order;
    const std::vector<int> circle = shortestCircle(graph, tags);
    std::string words;
    for (const int tag : circle)
        words += nameOf(tags, tag) + " feeds ";
    return fail(ErrorCode::refused,
                "no order of the tags is legal, because they form a cycle: " + words + nameOf(tags, circle.front()));
}

} // namespace sunder
