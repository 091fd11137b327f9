#pragma once

#include "ir/namespace.h"
#include "passes/unflatten/module_objects.h"
#include "support/flat_map.h"
#include "support/number_set.h"

#include <memory>
#include <span>
#include <vector>

namespace sunder {

/// Names for the nodes of the graphs that a flat graph is cut into: those that torch.fx's Namespace of each graph would
/// give. Nodes of the flat graph differ by name and keep it, so a graph gets a Namespace only when a name is made in it
/// that was made there before or that some flat node has.
class GraphNames {
public:
    /// Names of `flat` are identifiers and not reserved.
    GraphNames() = default;
    explicit GraphNames(const Graph& flat);

    /// The name of a node that stands for a flat node, in a graph where no other stands for it. O(1).
    InternedString keep(ObjectGraphId id, const Graph& graph, InternedString flatName);
    /// A name for a new node, made from a candidate. O(length); O(nodes of the graph) once for a graph.
    InternedString create(ObjectGraphId id, const Graph& graph, InternedString candidate);

    /// Names that Namespaces do not get to know because their nodes are left out.
    void leaveOut(std::span<const InternedString> names);
    /// True when a name might have been another if nothing had been left out.
    [[nodiscard]] bool isUncertain() const { return m_isUncertain; }

private:
    InternedString plainName(InternedString candidate);
    Namespace& namespaceOf(ObjectGraphId id, const Graph& graph);
    InternedString createCounted(ObjectGraphId id, const Graph& graph, InternedString candidate);

    FlatMap<char> m_flat;                                ///< names of flat nodes
    FlatMap<InternedString> m_plain;                     ///< candidate → the name it gives when that is free; empty: reserved
    FlatMap<std::uint32_t> m_madeIn;                     ///< name → the graph in which it was made first, + 1
    NumberSet m_madeAgain;                               ///< graph and name, in further graphs
    std::vector<std::unique_ptr<Namespace>> m_namespaces; ///< per graph
    FlatMap<char> m_leftOut;                             ///< names that were left out, without their number
    bool m_hasTwins = false;                             ///< flat nodes of one name: a damaged file
    bool m_isUncertain = false;
};

} // namespace sunder
