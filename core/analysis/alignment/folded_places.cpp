#include "analysis/alignment/folded_places.h"

#include "analysis/outline_tree.h"
#include "support/format.h"
#include "support/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace sunder {
namespace {

constexpr std::size_t kListedNumbers = 4; ///< of a position in a path without consecutive numbers
constexpr std::size_t kSiblings = 2; ///< places in one module; more are combined in it
constexpr std::size_t kPlaces = 5; ///< more are combined in their enclosing modules

std::vector<std::string> pathElements(std::string_view path)
{
    std::vector<std::string> elements;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        elements.emplace_back(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return elements;
}

/// Orders numbers by value.
struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const
    {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
};

using Numbers = std::set<std::string, ByNumber>;

bool areConsecutive(const Numbers& numbers)
{
    constexpr std::size_t kLongest = 9; // digits of a number that surely fits
    if (numbers.rbegin()->size() > kLongest)
        return false;
    return std::stoul(*numbers.rbegin()) - std::stoul(*numbers.begin()) + 1 == numbers.size();
}

std::string numbersText(const Numbers& numbers)
{
    if (numbers.size() == 1)
        return *numbers.begin();
    if (areConsecutive(numbers))
        return *numbers.begin() + "–" + *numbers.rbegin();
    if (numbers.size() > kListedNumbers)
        return "*";
    std::string text;
    for (const std::string& number : numbers)
        text += (text.empty() ? "{" : ",") + number;
    return text + "}";
}

/// Returns the outermost module call around each node that has no other calls, or the module call of the node itself.
class WholeModules {
public:
    WholeModules(const GraphIdentity& graph, std::span<const std::uint32_t> nodes)
        : m_graph(graph), m_all(graph.modules.size(), 0), m_given(graph.modules.size(), 0)
    {
        for (const NodeIdentity& node : graph.nodes)
            if (isCall(node.op))
                count(node.module, m_all);
        for (const std::uint32_t node : nodes)
            count(graph.nodes[node].module, m_given);
    }

    [[nodiscard]] std::uint32_t around(std::uint32_t node) const
    {
        std::uint32_t module = m_graph.nodes[node].module;
        while (module != 0 && isWhole(module) && isWhole(m_graph.modules[module].parent))
            module = m_graph.modules[module].parent;
        return module;
    }
    [[nodiscard]] bool isWhole(std::uint32_t module) const { return m_given[module] == m_all[module]; }

private:
    void count(std::uint32_t module, std::vector<std::uint32_t>& into) const
    {
        for (;; module = m_graph.modules[module].parent) {
            ++into[module];
            if (module == 0)
                return;
        }
    }

    const GraphIdentity& m_graph;
    std::vector<std::uint32_t> m_all;
    std::vector<std::uint32_t> m_given;
};

std::size_t depthOf(std::string_view path)
{
    return path.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(path, '.')) + 1;
}

/// Returns the enclosing module of this depth.
std::string cutToDepth(const std::string& path, std::size_t depth)
{
    std::size_t end = 0;
    for (std::size_t i = 0; i < depth && end < path.size(); ++i)
        end = std::min(path.find('.', end == 0 ? 0 : end + 1), path.size());
    return path.substr(0, end);
}

/// Combines places of the same depth in their enclosing module if it has more than a few, the deepest first.
void joinSiblings(std::vector<std::string>& paths, std::size_t depth)
{
    for (; depth > 1; --depth) {
        std::map<std::string, std::set<std::string>> places; // by enclosing module
        for (const std::string& path : paths)
            if (const std::size_t own = depthOf(path); own == depth || own + 1 == depth)
                places[numberlessPath(cutToDepth(path, depth - 1))].insert(numberlessPath(path));
        for (std::string& path : paths)
            if (depthOf(path) == depth)
                if (std::string around = cutToDepth(path, depth - 1); places[numberlessPath(around)].size() > kSiblings)
                    path = std::move(around);
    }
}

struct PlaceGroup {
    std::vector<std::string> paths = {};
    std::vector<std::uint32_t> nodes = {};
};

/// Groups nodes whose paths, down to a depth, differ in numbers only.
std::map<std::string, PlaceGroup> groupedPaths(std::span<const std::uint32_t> nodes, std::span<const std::string> paths,
                                               std::size_t depth)
{
    std::map<std::string, PlaceGroup> groups;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string path = cutToDepth(paths[i], depth);
        PlaceGroup& group = groups[numberlessPath(path)];
        if (group.paths.empty() || group.paths.back() != path)
            group.paths.push_back(path);
        group.nodes.push_back(nodes[i]);
    }
    return groups;
}

} // namespace

std::string numberlessPath(std::string_view path)
{
    std::string pattern;
    for (const std::string& element : pathElements(path))
        pattern += (pattern.empty() ? "" : ".") + (isAsciiNumber(element) ? std::string("*") : element);
    return pattern;
}

std::string foldedPath(std::span<const std::string> paths)
{
    const std::set<std::string> distinct(paths.begin(), paths.end());
    if (distinct.size() == 1)
        return *distinct.begin();
    const std::vector<std::string> first = pathElements(*distinct.begin());
    std::vector<Numbers> numbers(first.size());
    for (const std::string& path : distinct) {
        const std::vector<std::string> elements = pathElements(path);
        for (std::size_t i = 0; i < std::min(elements.size(), numbers.size()); ++i)
            numbers[i].insert(elements[i]);
    }
    std::size_t combinations = 1;
    for (const Numbers& at : numbers)
        combinations *= at.size();
    std::string text;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool isNumbers = isAsciiNumber(first[i]);
        const bool isOne = numbers[i].size() == 1;
        text += (i == 0 ? "" : ".")
            + (isOne                                              ? first[i]
                   : isNumbers && combinations == distinct.size() ? numbersText(numbers[i])
                                                                  : std::string("*"));
    }
    return text;
}

std::vector<FoldedPlace> foldedPlaces(const GraphIdentity& graph, std::span<const std::uint32_t> nodes)
{
    const WholeModules whole(graph, nodes);
    std::vector<std::string> paths;
    std::size_t depth = 0;
    for (const std::uint32_t node : nodes) {
        paths.push_back(graph.modules[whole.around(node)].path.str());
        depth = std::max(depth, depthOf(paths.back()));
    }
    joinSiblings(paths, depth);
    std::map<std::string, PlaceGroup> groups = groupedPaths(nodes, paths, depth);
    while (groups.size() > kPlaces && depth > 1)
        groups = groupedPaths(nodes, paths, --depth);
    std::vector<FoldedPlace> places;
    places.reserve(groups.size());
    for (auto& [pattern, group] : groups)
        places.push_back({.place = !pattern.empty() ? foldedPath(group.paths)
                              : whole.isWhole(0)    ? std::string("the whole model")
                                                    : std::string("outside of modules"),
                          .nodes = std::move(group.nodes)});
    std::ranges::sort(places, [](const FoldedPlace& a, const FoldedPlace& b) {
        return a.nodes.size() != b.nodes.size() ? a.nodes.size() > b.nodes.size() : a.nodes.front() < b.nodes.front();
    });
    return places;
}

std::string operatorsText(const GraphIdentity& graph, std::span<const std::uint32_t> nodes)
{
    constexpr std::size_t kShown = 3;
    std::map<std::string_view, std::size_t> counts;
    for (const std::uint32_t node : nodes)
        ++counts[shortTarget(graph.nodes[node].target.view())];
    std::vector<std::pair<std::string_view, std::size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
        text += (i == 0 ? "" : ", ") + std::string(sorted[i].first);
        if (sorted[i].second > 1)
            text += " ×" + formatCount(sorted[i].second);
    }
    if (sorted.size() > kShown)
        text += " and " + formatCount(sorted.size() - kShown, "other");
    return text;
}

} // namespace sunder
