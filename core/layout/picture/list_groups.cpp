#include "layout/picture/list_groups.h"

#include "layout/collapse/collapse_groups.h"
#include "layout/collapse/list_place.h"

#include <algorithm>
#include <optional>

namespace sunder {
namespace {

using collapse::Collapsed;
using collapse::Entry;
using collapse::Index;
using collapse::kNone;
using collapse::ListPlace;

constexpr std::size_t kMinList = 3; ///< minimum length of a list that is folded

/// A module or run in a list.
struct Element {
    std::string_view first; ///< keys
    std::string_view last;
    InternedString cls;
    bool isRun = false;
};
using List = std::vector<Element>;
using Ways = std::vector<std::set<std::string>>;

std::string keyOf(std::span<const Element> elements)
{
    return std::string(elements.front().first) + std::string(collapse::kGroupMark) + std::string(elements.back().last);
}

/// Returns the groups if each element of a class ends a stage, or begins one if it is also the first of the list. Empty if two
/// elements of the class are adjacent, or if there is only one.
std::set<std::string> stages(const List& list, InternedString cls)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool isOne = list[i].cls == cls;
        if (isOne && (list[i].isRun || (i > 0 && list[i - 1].cls == cls)))
            return {};
        count += isOne ? 1 : 0;
    }
    if (count < 2)
        return {};
    const std::size_t behind = list.front().cls == cls ? 0 : 1; // 0: cut before such an element; 1: cut after it
    std::set<std::string> keys;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= list.size(); ++i) {
        if (i < list.size() && list[i - behind].cls != cls)
            continue;
        if (i - begin > 1)
            keys.insert(keyOf(std::span(list).subspan(begin, i - begin)));
        begin = i;
    }
    return keys;
}

/// Returns the ways to group one list, from fine to coarse.
Ways waysOf(const List& list, bool isAll)
{
    Ways ways;
    std::vector<InternedString> tried;
    const auto hasMore = [](const auto& a, const auto& b) { return a.size() > b.size(); };
    for (const Element& element : list) {
        if (std::find(tried.begin(), tried.end(), element.cls) != tried.end())
            continue;
        tried.push_back(element.cls);
        std::set<std::string> keys = stages(list, element.cls);
        if (keys.size() > 1 && std::find(ways.begin(), ways.end(), keys) == ways.end())
            ways.insert(std::upper_bound(ways.begin(), ways.end(), keys, hasMore), std::move(keys));
    }
    if (!isAll)
        ways.push_back({keyOf(list)});
    return ways;
}

class ListFinder {
public:
    ListFinder(const Graph& graph, const collapse::ScopeTree& scopes, const collapse::UnitGraph& units,
               const Collapsed& collapsed)
        : m_graph(graph), m_scopes(scopes), m_units(units), m_collapsed(collapsed)
    {
    }

    void find(const std::vector<Index>& children, std::string_view outer, bool isFrame)
    {
        std::size_t modules = 0;
        for (const Index child : children)
            modules += m_collapsed.entries[child].scope != kNone ? 1 : 0;
        const auto finish = [&] {
            if (m_list.size() >= kMinList)
                m_ways.push_back(waysOf(m_list, isFrame && m_list.size() == modules));
            m_list.clear();
        };
        for (const Index child : children) {
            const Entry& entry = m_collapsed.entries[child];
            if (isOp(entry))
                continue;
            const std::optional<ListPlace> place = placeOf(entry.scope, outer);
            if (!place || entry.kind == ItemKind::frame) {
                finish();
                continue;
            }
            if (!m_list.empty() && (place->list != m_last.list || collapse::isSmallerNumber(place->number, m_last.number)))
                finish();
            const bool isRun = !entry.memberKeys.empty();
            m_list.push_back({isRun ? entry.memberKeys.front() : entry.key, isRun ? entry.memberKeys.back() : entry.key,
                              m_scopes.scopes[entry.scope].cls, isRun});
            m_last = isRun ? placeOf(entry.lastScope, outer).value_or(*place) : *place;
        }
        finish();
    }

    /// Merges the n-th ways of all lists, counted from the end.
    [[nodiscard]] Ways joined() const
    {
        Ways all;
        for (const Ways& ways : m_ways) {
            if (ways.size() > all.size())
                all.insert(all.begin(), ways.size() - all.size(), {});
            for (std::size_t i = 0; i < ways.size(); ++i)
                all[all.size() - 1 - i].insert(ways[ways.size() - 1 - i].begin(), ways[ways.size() - 1 - i].end());
        }
        return all;
    }

private:
    [[nodiscard]] bool isOp(const Entry& entry) const
    {
        return entry.scope == kNone && m_graph.node(m_units.heads[m_collapsed.units[entry.begin]]).isCall();
    }

    [[nodiscard]] std::optional<ListPlace> placeOf(Index scope, std::string_view outer) const
    {
        return scope == kNone ? std::nullopt : collapse::listPlaceOf(m_scopes.scopes[scope].path.view(), outer);
    }

    const Graph& m_graph;
    const collapse::ScopeTree& m_scopes;
    const collapse::UnitGraph& m_units;
    const Collapsed& m_collapsed;
    List m_list;
    ListPlace m_last;
    std::vector<Ways> m_ways; ///< per list
};

} // namespace

std::vector<std::set<std::string>> waysToGroup(const Graph& graph, const collapse::ScopeTree& scopes,
                                               const collapse::UnitGraph& units, const Collapsed& collapsed,
                                               std::string_view within)
{
    ListFinder lists(graph, scopes, units, collapsed);
    lists.find(collapsed.roots, within, false);
    for (const Entry& entry : collapsed.entries) {
        if (entry.kind == ItemKind::frame && entry.memberKeys.empty())
            lists.find(entry.children, scopes.scopes[entry.scope].path.view(), true);
    }
    return lists.joined();
}

} // namespace sunder
