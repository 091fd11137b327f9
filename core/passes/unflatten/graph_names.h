#pragma once

#include "ir/namespace.h"
#include "passes/unflatten/module_objects.h"
#include "support/flat_map.h"
#include "support/number_set.h"

#include <memory>
#include <span>
#include <vector>

namespace sunder {

/// Names for nodes of the graphs into which a flat graph is split, equal to those of torch.fx's Namespace of each graph. Flat
/// nodes have unique names and keep them. A graph therefore gets a Namespace only when a name is created that already exists in
/// it or belongs to a flat node.
class GraphNames {
public:
    /// Names in `flat` must be identifiers and not reserved.
    GraphNames() = default;
    explicit GraphNames(const Graph& flat);

    /// Returns the name for the counterpart of a flat node, in a graph without another counterpart of it. O(1).
    InternedString keep(ObjectGraphId id, const Graph& graph, InternedString flatName);
    /// Returns a name for a new node, based on a candidate. O(length), plus O(nodes of the graph) once per graph.
    InternedString create(ObjectGraphId id, const Graph& graph, InternedString candidate);

    /// Registers names that are missing in Namespaces because their nodes are omitted.
    void leaveOut(std::span<const InternedString> names);
    /// Returns whether a name might be different if no node had been omitted.
    [[nodiscard]] bool isUncertain() const { return m_isUncertain; }

private:
    InternedString plainName(InternedString candidate);
    Namespace& namespaceOf(ObjectGraphId id, const Graph& graph);
    InternedString createCounted(ObjectGraphId id, const Graph& graph, InternedString candidate);

    FlatMap<char> m_flat;                                ///< names of flat nodes
    FlatMap<InternedString> m_plain;                     ///< candidate → resulting name while it is free; empty: reserved
    FlatMap<std::uint32_t> m_madeIn;                     ///< name → 1 + the first graph in which it was created
    NumberSet m_madeAgain;                               ///< (graph, name) in further graphs
    std::vector<std::unique_ptr<Namespace>> m_namespaces; ///< per graph
    FlatMap<char> m_leftOut;                             ///< omitted names without their number
    bool m_hasTwins = false;                             ///< several flat nodes have one name: the file is damaged
    bool m_isUncertain = false;
};

} // namespace sunder
