#include "layout/collapse/collapse_groups.h"

#include "layout/collapse/list_place.h"

#include <algorithm>

namespace sunder::collapse {
namespace {

/// First and last module child of an element.
struct Ends {
    Index first = kNone; ///< child
    Index last = kNone;
};

std::vector<Ends> endsOf(const CollapseBody& body, const Folding& folding, const std::vector<Index>& order)
{
    std::vector<Ends> ends(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        for (const Index child : folding.elements[order[place]]) {
            if (body.children[child].scope == kNone)
                continue;
            ends[place].last = child;
            if (ends[place].first == kNone)
                ends[place].first = child;
        }
    }
    return ends;
}

/// True for an op with inputs. Modules and inputs of the graph are not part of the ops between list members.
bool isOpBetween(const CollapseBody& body, const Ends& ends, const std::vector<Index>& element)
{
    const Index child = element.front();
    return ends.first == kNone && body.graph.inStart[child] != body.graph.inStart[child + 1];
}

} // namespace

GroupFinder::GroupFinder(const ScopeTree& scopes, const PictureOptions& options) : m_scopes(scopes), m_within(options.within)
{
    note(options.openDeep, true, true);
    note(options.open, true, false);
    note(options.closed, false, false);
}

/// Adds groups; the first note about a group wins.
void GroupFinder::note(const std::set<std::string>& keys, bool isOpen, bool isDeep)
{
    for (const std::string& key : keys) {
        const std::size_t at = key.find(kGroupMark);
        if (at == std::string::npos)
            continue;
        std::vector<Wanted>& wanted = m_wanted[key.substr(0, at)];
        std::string last = key.substr(at + kGroupMark.size());
        if (std::none_of(wanted.begin(), wanted.end(), [&](const Wanted& other) { return other.last == last; }))
            wanted.push_back({std::move(last), isOpen, isDeep});
    }
}

std::vector<Group> GroupFinder::find(const CollapseBody& body, const Folding& folding, const std::vector<Index>& order,
                                     Index scope) const
{
    std::vector<Group> groups;
    if (m_wanted.empty())
        return groups;
    const std::vector<Ends> ends = endsOf(body, folding, order);
    const std::string_view path = m_scopes.scopes[scope].path.view();
    const auto listOf = [&](Index child) {
        const std::string_view member = m_scopes.scopes[body.children[child].scope].path.view();
        const std::optional<ListPlace> place = listPlaceOf(member, path.empty() ? m_within : path);
        return place ? place->list : std::string_view();
    };
    const auto count = static_cast<Index>(order.size());
    Index free = 0; // positions before it are already in a group
    for (Index first = 0; first < count; ++first) {
        const auto wanted = ends[first].first == kNone ? m_wanted.end() : m_wanted.find(body.children[ends[first].first].key);
        if (wanted == m_wanted.end())
            continue;
        for (const Wanted& group : wanted->second) {
            Index last = first + 1;
            while (last < count && (ends[last].last == kNone || body.children[ends[last].last].key != group.last))
                ++last;
            if (last >= count)
                continue;
            Index begin = first;
            while (begin > free && isOpBetween(body, ends[begin - 1], folding.elements[order[begin - 1]]))
                --begin;
            const Index before = begin > 0 ? ends[begin - 1].last : kNone;
            if (before == kNone || listOf(before).empty() || listOf(before) != listOf(ends[first].first))
                begin = first;
            groups.push_back({begin, last + 1, wanted->first + std::string(kGroupMark) + group.last, group.isOpen, group.isDeep});
            free = last + 1;
            first = last;
            break;
        }
    }
    return groups;
}

} // namespace sunder::collapse
