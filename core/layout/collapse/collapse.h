#pragma once

#include "layout/collapse/collapse_units.h"
#include "layout/picture/picture.h"

#include <string>
#include <vector>

namespace sunder::collapse {

/// An item without looks and place.
struct Entry {
    ItemKind kind = ItemKind::node;
    Index parent = kNone; ///< entry of the frame around it
    Index depth = 0;
    Index scope = kNone;     ///< of a module or its frame; of a run the first member's
    Index lastScope = kNone; ///< of a run: the last member's
    Index stretch = 0;       ///< which stretch of its module call it is, from 0
    std::string key;
    std::vector<std::string> memberKeys; ///< of a run, folded or open
    bool isParallel = false; ///< of a run: no member reads another's values
    bool isVaried = false;   ///< of a run: its members are of one kind, but not equal
    bool isGroup = false;    ///< a run whose members are elements of a list that differ: it opens as a whole
    std::vector<InternedString> classes; ///< of a group: of its members, distinct, in order of execution
    bool canOpen = false;
    Index begin = 0; ///< its units: Collapsed::units[begin] … units[end], members one behind the other
    Index end = 0;
    std::vector<Index> children; ///< of a frame, in order of execution
};

/// A graph as items: entries with frames before what they hold, siblings in order of execution. Neither the entries
/// inside one frame nor those at the top depend on each other in a circle.
struct Collapsed {
    std::vector<Entry> entries;
    std::vector<Index> roots;    ///< entries outside all frames, in order of execution
    std::vector<Index> units;    ///< every unit once, in order of the entries
    std::vector<Index> entryOf;  ///< per unit: the entry without children that shows it
    std::vector<Index> memberOf; ///< per unit: a number of its own for every module, node and member of a run
    Index memberCount = 0;
};

/// Applies the rules of `docs/pictures.md` that say what is one item. Linear in units and reads for every level of
/// open frames. Fails when cancelled.
Result<Collapsed> collapse(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options,
                           ProgressMonitor& monitor);

} // namespace sunder::collapse
