#include "passes/regions/occurrences.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>

namespace sunder {
namespace {

/// Returns the longest common ancestor path.
std::string_view commonModule(std::string_view a, std::string_view b)
{
    const std::size_t shorter = std::min(a.size(), b.size());
    const std::size_t same = static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shorter), b.begin()).first - a.begin());
    const auto ends = [same](std::string_view path) { return same == path.size() || path[same] == '.'; };
    if (ends(a) && ends(b))
        return a.substr(0, same);
    const std::size_t dot = a.substr(0, same).rfind('.');
    return dot == std::string_view::npos ? std::string_view() : a.substr(0, dot);
}

/// Returns the child of `outer` on the path to its descendant `path`.
std::string_view childTowards(std::string_view outer, std::string_view path)
{
    if (path.size() <= outer.size())
        return path;
    return path.substr(0, path.find('.', outer.empty() ? 0 : outer.size() + 1));
}

bool areDistinct(const std::vector<std::string>& names)
{
    std::unordered_set<std::string_view> seen;
    return std::ranges::all_of(names, [&](const std::string& name) { return !name.empty() && seen.insert(name).second; });
}

} // namespace

std::string_view innermostModule(const Program& program, const Node& node)
{
    const ModuleStack& stack = program.stackOf(node);
    return stack.empty() ? std::string_view() : stack.back().path.view();
}

std::string likeModules(std::string_view path)
{
    std::string like;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        like += begin == 0 ? "" : ".";
        like += part.find_first_not_of("0123456789") == std::string_view::npos ? "*" : part;
        begin = end + 1;
    }
    return like;
}

std::vector<std::string> occurrenceNames(const Program& program, const RegionGroup& group)
{
    const Graph& graph = program.rootGraph();
    enum Way : std::uint8_t { holder, reach, span, path, end, count };
    std::array<std::vector<std::string>, Way::count> names;
    const auto joined = [](std::string_view from, std::string_view to) {
        return from == to ? std::string(from) : std::string(from) + " … " + std::string(to);
    };
    for (std::size_t i = 0; i < group.regionCount(); ++i) {
        const auto region = group.region(i);
        const std::string_view first = innermostModule(program, graph[region.front()]);
        const std::string_view last = innermostModule(program, graph[region.back()]);
        std::string_view all = first;
        for (const NodeId id : region)
            all = commonModule(all, innermostModule(program, graph[id]));
        const std::string name = graph[region.back()].name.str();
        names[holder].emplace_back(all);
        names[reach].emplace_back(commonModule(first, last));
        names[span].push_back(joined(childTowards(all, first), childTowards(all, last)));
        names[path].push_back(joined(first, last));
        names[end].push_back(last.empty() ? name : std::string(last) + ": " + name);
    }
    for (std::vector<std::string>& way : names)
        if (areDistinct(way))
            return std::move(way);
    return std::move(names[end]);
}

OccurrenceTable occurrencesOf(const RegionResult& regions, std::size_t nodes)
{
    OccurrenceTable table{.groups = {}, .groupOf = std::vector(nodes, OccurrenceTable::kNone)};
    for (const RegionGroup& group : regions.groups) {
        for (const NodeId id : group.nodes)
            table.groupOf[id.index()] = static_cast<std::uint32_t>(table.groups.size());
        table.groups.push_back({.regions = group.regionCount(), .nodes = group.nodes});
    }
    return table;
}

OccurrenceOrder::OccurrenceOrder(const RegionGroup& group, std::span<const std::uint32_t> positions)
    : m_group(&group), m_occurrences(group.regionCount()), m_rows(group.regionCount())
{
    const auto begin = [&](std::size_t occurrence) { return positions[group.region(occurrence).front().index()]; };
    std::iota(m_occurrences.begin(), m_occurrences.end(), std::size_t{0});
    std::stable_sort(m_occurrences.begin(), m_occurrences.end(),
                     [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    for (int row = 0; row < rowCount(); ++row)
        m_rows[occurrenceAt(row)] = row;
}

RegionIndex::RegionIndex(const RegionResult& regions, std::size_t nodes) : m_entries(nodes)
{
    for (std::size_t group = 0; group < regions.groups.size(); ++group) {
        m_lengths.push_back(regions.groups[group].length);
        put(regions, group);
    }
}

void RegionIndex::put(const RegionResult& regions, std::size_t group)
{
    const std::vector<NodeId>& nodes = regions.groups[group].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        m_entries[nodes[i].index()] = {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(i)};
}

std::optional<RegionPlace> RegionIndex::at(NodeId id) const
{
    if (!id || id.index() >= m_entries.size() || m_entries[id.index()].group == kNone)
        return std::nullopt;
    const Entry& entry = m_entries[id.index()];
    const std::size_t length = m_lengths[entry.group];
    return RegionPlace{entry.group, entry.index / length, entry.index % length};
}

} // namespace sunder
