#include "layout/collapse/collapse_body.h"

#include <algorithm>
#include <numeric>

namespace sunder::collapse {
namespace {

/// Sorts units by child; units of one child stay in graph order.
void sortUnits(CollapseBody& body, const std::vector<Index>& units, const std::vector<Index>& childOf)
{
    body.unitStart.assign(body.children.size() + 1, 0);
    for (const Index child : childOf)
        ++body.unitStart[child + 1];
    std::partial_sum(body.unitStart.begin(), body.unitStart.end(), body.unitStart.begin());
    body.units.resize(units.size());
    std::vector<Index> next = body.unitStart;
    for (std::size_t i = 0; i < units.size(); ++i)
        body.units[next[childOf[i]]++] = units[i];
}

} // namespace

BodyMaker::BodyMaker(const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options)
    : m_scopes(scopes), m_units(units), m_options(options), m_grouping(units), m_groupOfScope(scopes.scopes.size(), kNone)
{
}

CollapseBody BodyMaker::make(const std::vector<Index>& units, Index scope, const std::string& frameKey, bool isDeep)
{
    std::vector<Index> scopeOfGroup;
    const std::vector<Index> groupOf = groupsOf(units, scope, scopeOfGroup);
    const auto groupCount = static_cast<Index>(scopeOfGroup.size());
    std::vector<Index> childOf = m_grouping.divideCycles(units, groupOf, groupCount);
    Index count = 0;
    for (const Index stretch : childOf)
        count = std::max(count, stretch + 1);
    const std::vector<Index> order = executionOrder(m_grouping.quotient(units, childOf, count));
    std::vector<Index> place(count);
    for (Index child = 0; child < count; ++child)
        place[order[child]] = child;

    CollapseBody body;
    body.children.resize(count);
    std::vector<Index> stretches(groupCount, 0);
    std::vector<bool> isMet(count, false);
    for (std::size_t i = 0; i < units.size(); ++i) {
        const Index child = childOf[i] = place[childOf[i]];
        if (isMet[child])
            continue;
        isMet[child] = true;
        body.children[child].scope = scopeOfGroup[groupOf[i]];
        body.children[child].stretch = stretches[groupOf[i]]++;
    }
    sortUnits(body, units, childOf);
    body.graph = m_grouping.quotient(units, childOf, count);
    nameChildren(body, scope, frameKey, isDeep);
    return body;
}

/// Makes one group for each module call directly below `scope` and one for each unit directly in it.
std::vector<Index> BodyMaker::groupsOf(const std::vector<Index>& units, Index scope, std::vector<Index>& scopeOfGroup)
{
    std::vector<Index> groupOf;
    groupOf.reserve(units.size());
    for (const Index unit : units) {
        Index child = kNone;
        Index group = kNone;
        if (m_units.scopeOf[unit] != scope) {
            child = m_scopes.childOf(scope, m_units.scopeOf[unit]);
            group = m_groupOfScope[child];
        }
        if (group == kNone) {
            group = static_cast<Index>(scopeOfGroup.size());
            scopeOfGroup.push_back(child);
            if (child != kNone)
                m_groupOfScope[child] = group;
        }
        groupOf.push_back(group);
    }
    for (const Index child : scopeOfGroup) {
        if (child != kNone)
            m_groupOfScope[child] = kNone;
    }
    return groupOf;
}

/// Assigns the keys and determines which children are open.
void BodyMaker::nameChildren(CollapseBody& body, Index scope, const std::string& frameKey, bool isDeep) const
{
    for (Index i = 0; i < body.children.size(); ++i) {
        Child& child = body.children[i];
        if (child.scope == kNone)
            continue;
        if (isDeep && body.unitStart[i + 1] - body.unitStart[i] == 1) {
            child.scope = kNone;
            continue;
        }
        child.key = keyOf(child, scope, frameKey);
        child.isDeep = (isDeep && !m_options.closed.contains(child.key)) || m_options.openDeep.contains(child.key);
        child.isOpen = child.isDeep || m_options.open.contains(child.key);
    }
}

std::string BodyMaker::keyOf(const Child& child, Index scope, const std::string& frameKey) const
{
    const Scope& module = m_scopes.scopes[child.scope];
    std::string key = module.path.str();
    if (module.call > 0)
        key += "@" + std::to_string(module.call);
    if (child.stretch > 0)
        key += "#" + std::to_string(child.stretch + 1);
    if (frameKey.empty())
        return key;
    const std::string prefix = m_scopes.scopes[scope].path.str() + ".";
    const bool isPlain = frameKey + "." == prefix && key.compare(0, prefix.size(), prefix) == 0;
    return isPlain ? key : frameKey + "/" + key;
}

} // namespace sunder::collapse
