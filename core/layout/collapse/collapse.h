#pragma once

#include "layout/collapse/collapse_units.h"
#include "layout/picture/picture.h"

#include <string>
#include <vector>

namespace sunder::collapse {

/// An item without appearance and position.
struct Entry {
    ItemKind kind = ItemKind::node;
    Index parent = kNone; ///< entry of the enclosing frame
    Index depth = 0;
    Index scope = kNone;     ///< of a module or its frame; for a run, of its first member
    Index lastScope = kNone; ///< for a run: of its last member
    Index stretch = 0;       ///< index of this stretch of its module call, from 0
    std::string key;
    std::vector<std::string> memberKeys; ///< of a folded or open run
    bool isParallel = false; ///< of a run: no member reads values of another
    bool isVaried = false;   ///< of a run: members are of one kind, but not equal
    bool isGroup = false;    ///< a run of different elements of a list, which opens as a whole
    std::vector<InternedString> classes; ///< of a group: distinct classes of its members, in execution order
    bool canOpen = false;
    Index begin = 0; ///< units of the entry: Collapsed::units[begin] … units[end], one member after another
    Index end = 0;
    std::vector<Index> children; ///< of a frame, in execution order
};

/// A graph as items: frames precede their contents, siblings are in execution order. Neither the entries of one frame nor the
/// top-level entries form a dependency cycle.
struct Collapsed {
    std::vector<Entry> entries;
    std::vector<Index> roots;    ///< top-level entries, in execution order
    std::vector<Index> units;    ///< every unit once, in entry order
    std::vector<Index> entryOf;  ///< per unit: the leaf entry that shows it
    std::vector<Index> memberOf; ///< per unit: the unique number of its module, node, or member of a run
    Index memberCount = 0;
};

/// Groups the units into items by the rules of `docs/pictures.md`. Linear in units and reads for each level of open frames. Fails
/// when canceled.
Result<Collapsed> collapse(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options,
                           ProgressMonitor& monitor);

} // namespace sunder::collapse
