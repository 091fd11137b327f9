#pragma once

#include "ir/ids.h"
#include "ir/namespace.h"
#include "ir/program.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/unflatten_plan.h"
#include "support/flat_map.h"
#include "support/number_set.h"
#include "support/result.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// A compact hash map from nodes of one graph to nodes of another, without an allocation per entry. Entries are never removed.
/// Linear probing, load factor at most 3/4.
class NodeTable {
public:
    /// Returns the value of a key; invalid if there is none.
    [[nodiscard]] NodeId find(NodeId key) const { return m_slots.empty() ? NodeId() : m_slots[indexOf(key)].value; }

    /// Sets a value. Returns true if the key is new.
    bool set(NodeId key, NodeId value)
    {
        if ((m_size + 1) * 4 > m_slots.size() * 3)
            grow();
        Slot& slot = m_slots[indexOf(key)];
        const bool isNew = !slot.key.isValid();
        m_size += isNew ? 1 : 0;
        slot = {key, value};
        return isNew;
    }

    /// Empties the table; small tables keep their memory.
    void clear()
    {
        if (m_slots.size() > 256)
            m_slots.clear();
        std::fill(m_slots.begin(), m_slots.end(), Slot());
        m_size = 0;
    }

private:
    struct Slot {
        NodeId key;
        NodeId value;
    };

    [[nodiscard]] std::size_t indexOf(NodeId key) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = (key.index() * 0x9E3779B97F4A7C15ULL >> 20U) & mask;
        while (m_slots[at].key.isValid() && m_slots[at].key != key)
            at = (at + 1) & mask;
        return at;
    }

    void grow()
    {
        std::vector<Slot> old(std::max<std::size_t>(8, m_slots.size() * 2));
        old.swap(m_slots);
        for (const Slot& slot : old)
            if (slot.key.isValid())
                m_slots[indexOf(slot.key)] = slot;
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

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

private:
    InternedString plainName(InternedString candidate);
    Namespace& namespaceOf(ObjectGraphId id, const Graph& graph);
    InternedString createCounted(ObjectGraphId id, const Graph& graph, InternedString candidate);

    FlatMap<char> m_flat;                                ///< names of flat nodes
    FlatMap<InternedString> m_plain;                     ///< candidate → resulting name while it is free; empty: reserved
    FlatMap<std::uint32_t> m_madeIn;                     ///< name → 1 + the first graph in which it was created
    NumberSet m_madeAgain;                               ///< (graph, name) in further graphs
    std::vector<std::unique_ptr<Namespace>> m_namespaces; ///< per graph
    bool m_hasTwins = false;                             ///< several flat nodes have one name: the file is damaged
};

/// A module call: the caller, the callee, and the object that owns the graph of this call.
struct CallRecord {
    ObjectId parent;           ///< the object whose graph contains the call
    NodeId node;               ///< the call_module node in that graph
    InternedString parentPath; ///< without call index
    InternedString path;       ///< of the called module, without call index
    std::uint32_t call = 0;    ///< call index
    InternedString name;       ///< path with call index, as in the table
    ObjectId object;
    std::uint32_t first = 0;   ///< the first call of the same module, as an index into the calls
    InternedString displacedFrom = {}; ///< name in the table that a later call took over; `name` then differs
};

/// A node of the flat graph, and its counterpart in the graph of an object.
struct OutlinePair {
    NodeId flat;
    ObjectGraphId graph;
    NodeId node;
    bool created; ///< the counterpart passes the value over a boundary and is not a copy
};

/// An attribute for an intermediate value.
struct IntermediateAttribute {
    ObjectId object;
    InternedString name;
    NodeId value; ///< of the flat graph
};

/// A get_attr node that reads a tensor or an object.
struct TensorRead {
    ObjectGraphId graph;
    NodeId node;
    std::uint32_t tensor; ///< number in FlatTensors
};

/// The module calls of a flat graph, each with its own graph.
struct Outline {
    ModuleObjects objects;
    GraphNames names;
    std::vector<CallRecord> calls; ///< in order of their start
    bool hasRepeats = false;       ///< a module is called more than once
    std::vector<OutlinePair> pairs;
    std::vector<char> isSunk;      ///< per object graph: it, or a call in it, lacks an argument for a tensor
    std::vector<NodeTable> sunk;   ///< per object graph: placeholders replaced by get_attr nodes
    std::vector<TensorRead> reads; ///< per graph in request order
    std::vector<IntermediateAttribute> intermediates;

    /// Adds a node at the insert point of a graph, with the name that PyTorch would assign.
    NodeId create(ObjectGraphId graph, NodeSpec spec);
};

/// Returns a path relative to a parent: "a.b" relative to "a" → "b"; nothing if it is not a descendant.
std::optional<std::string_view> accessor(std::string_view parent, std::string_view path);

/// Splits a flat graph as planned. Values, including tensors, are passed down as arguments. Refuses a module whose path is not
/// below that of its caller. Linear in nodes plus arguments, times the depth of stacks.
Result<Outline> outline(const UnflattenPlan& plan, const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
