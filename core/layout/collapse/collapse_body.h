#pragma once

#include "layout/collapse/collapse_stretches.h"
#include "layout/picture/picture.h"

#include <string>
#include <vector>

namespace sunder::collapse {

/// A part of a body before folding: a stretch of a module call, or one unit.
struct Child {
    Index scope = kNone; ///< kNone: a plain unit
    Index stretch = 0;
    std::string key;
    bool isOpen = false;
    bool isDeep = false; ///< open with all its contents
};

/// The children of one body in execution order, with their units.
struct CollapseBody {
    std::vector<Child> children;
    std::vector<Index> unitStart; ///< units of child c: units[unitStart[c]] … units[unitStart[c + 1]], in graph order
    std::vector<Index> units;
    Quotient graph;

    [[nodiscard]] std::span<const Index> unitsOf(Index child) const
    {
        return {units.data() + unitStart[child], units.data() + unitStart[child + 1]};
    }
};

/// Divides the contents of an open module call, or of the whole graph, into children.
class BodyMaker {
public:
    BodyMaker(const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options);

    /// `units` are in graph order and in or below `scope`. `frameKey` is the key of the enclosing frame, or empty for the graph.
    /// With `isDeep`, every child is open with all its contents, and a module of one op becomes that op. Linear except for
    /// sorting.
    CollapseBody make(const std::vector<Index>& units, Index scope, const std::string& frameKey, bool isDeep);

private:
    std::vector<Index> groupsOf(const std::vector<Index>& units, Index scope, std::vector<Index>& scopeOfGroup);
    void nameChildren(CollapseBody& body, Index scope, const std::string& frameKey, bool isDeep) const;
    [[nodiscard]] std::string keyOf(const Child& child, Index scope, const std::string& frameKey) const;

    const ScopeTree& m_scopes;
    const UnitGraph& m_units;
    const PictureOptions& m_options;
    Grouping m_grouping;
    std::vector<Index> m_groupOfScope; ///< temporary
};

} // namespace sunder::collapse
