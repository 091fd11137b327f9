#pragma once

#include "analysis/representatives.h"
#include "ir/graph.h"
#include "passes/unflatten/unflatten.h"

#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// Returns whether the graph belongs to a module with a preserved signature, which takes the arguments of the original forward().
/// Such a graph first flattens them to the values that the ops read, and finally packs the results.
bool keepsSignature(const Graph& graph);

/// Returns, per input of such a graph, its flattened value; invalid if it has none or several, or if it is unused. Empty for a
/// graph without a preserved signature.
std::vector<NodeId> flattenedInputs(const Graph& graph);

/// The module tree of an unflattened program, with data of each module. Computed once per run.
struct HierarchyTree {
    struct Entry {
        ModuleId module; ///< the path
        ModuleId object; ///< the module object; differs from `module` if it is shared
        std::int32_t parent = -1;
        std::int32_t row = 0; ///< index among its siblings
        std::vector<std::int32_t> children = {};
        InternedString name = {}; ///< last component of the path; for the root, the name of the model
        InternedString cls = {}; ///< class in the model, without its package; empty: unknown
        std::vector<GraphId> graphs = {}; ///< its graph; for a dispatcher those of its calls; empty for a module without a graph
        std::uint32_t calls = 0; ///< number of calls of the object in the program
        std::uint64_t ops =
            0; ///< ops in one call (for a dispatcher: in all calls), including called modules; without a graph: in its children
        bool isShared = false; ///< the object is at several paths
        bool isDispatcher = false;
        bool isPreserved = false; ///< it has the signature of the model's forward()
    };
    /// A node of the source and its copy.
    using Copy = std::pair<NodeId, NodeId>;

    std::vector<Entry> entries; ///< the first is the root
    std::vector<std::int32_t> entryOf; ///< per ModuleId
    std::vector<std::int32_t> entryOfGraph; ///< per GraphId: the entry whose object owns it; −1: none
    std::vector<std::vector<Representative>> representatives; ///< per GraphId: its calls, and copies shared by several nodes
    std::vector<std::vector<Copy>> copies; ///< per GraphId: its copies of nodes of the source's root graph

    /// Returns the entry that a call_module node of this entry's graph calls; −1: none.
    [[nodiscard]] std::int32_t calledBy(const Program& program, std::int32_t entry, const Node& call) const;
    /// Returns the nodes of the source that run in an entry or its descendants.
    [[nodiscard]] std::vector<NodeId> sourcesBelow(std::int32_t entry) const;
    /// Returns the entries from the root down to this one; empty for −1.
    [[nodiscard]] std::vector<std::int32_t> pathTo(std::int32_t entry) const;
    /// Returns the module in which all these nodes of the source's graph `root` run, and the number of its call; −1: none. For
    /// very long lists only the first nodes are considered.
    [[nodiscard]] std::pair<std::int32_t, int> holderOf(const IdentityMap& map, GraphId root,
                                                        std::span<const NodeId> sources) const;
    /// Returns the dotted path of an entry; empty for the root.
    [[nodiscard]] static InternedString pathOf(const Program& program, const Entry& entry)
    {
        return program.modules[entry.module].path;
    }
};

/// Builds the tree. Linear in modules, nodes and pairs of the map, times the depth of call targets.
HierarchyTree hierarchyTree(const UnflattenResult& result, const Program& source, std::string_view rootName);

} // namespace sunder
