#pragma once

#include "analysis/stand_ins.h"
#include "passes/unflatten/unflatten.h"

#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// The modules of an unflattened program as a tree, with what is to be known of each. A value, made once a run.
struct HierarchyTree {
    struct Entry {
        ModuleId module;                ///< the path
        ModuleId object;                ///< the module that stands there: another one where it is shared
        std::int32_t parent = -1;
        std::int32_t row = 0;           ///< among its siblings
        std::vector<std::int32_t> children = {};
        InternedString name = {};       ///< last part of the path; of the root the model's
        InternedString cls = {};        ///< in the model, without its package; empty: not known
        std::vector<GraphId> graphs = {}; ///< its graph; those of its calls where it is a dispatcher; none of a mere holder
        std::uint32_t calls = 0;        ///< places in the program that call the object
        std::uint64_t ops =
            0; ///< that one call of it runs (all calls, of a dispatcher), those of modules that it calls among them; of a holder what its children run
        bool isShared = false; ///< the object stands at several paths
        bool isDispatcher = false;
        bool isPreserved = false; ///< it takes and gives what the model's forward does
    };
    /// A node of the source and its copy.
    using Copy = std::pair<NodeId, NodeId>;

    std::vector<Entry> entries; ///< the first is the whole model
    std::vector<std::int32_t> entryOf; ///< per ModuleId
    std::vector<std::int32_t> entryOfGraph; ///< per GraphId: the entry whose object owns it; −1: none
    std::vector<std::vector<StandIn>> standIns; ///< per GraphId: its calls, and copies that several nodes share
    std::vector<std::vector<Copy>> copies; ///< per GraphId: its nodes that are copies of nodes of the source's root graph

    /// Entry of the module that a call_module node of this entry's graph calls; −1: none.
    [[nodiscard]] std::int32_t calledBy(const Program& program, std::int32_t entry, const Node& call) const;
    /// Nodes of the source that run in an entry or below it.
    [[nodiscard]] std::vector<NodeId> sourcesBelow(std::int32_t entry) const;
    /// The entries from the whole model down to this one; none for −1.
    [[nodiscard]] std::vector<std::int32_t> pathTo(std::int32_t entry) const;
    /// The module in which all these nodes of the source's graph `root` run, and which of its calls; −1: none. Of very
    /// many nodes the first ones say where they are.
    [[nodiscard]] std::pair<std::int32_t, int> holderOf(const IdentityMap& map, GraphId root,
                                                        std::span<const NodeId> sources) const;
    /// Dotted path of an entry; empty for the root.
    [[nodiscard]] static InternedString pathOf(const Program& program, const Entry& entry)
    {
        return program.modules[entry.module].path;
    }
};

/// Linear in modules, nodes and pairs of the map, times the depth of call targets.
HierarchyTree hierarchyTree(const UnflattenResult& result, const Program& source, std::string_view rootName);

} // namespace sunder
