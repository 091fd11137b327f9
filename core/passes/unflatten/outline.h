#pragma once

#include "ir/ids.h"
#include "ir/namespace.h"
#include "ir/program.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/module_stacks.h"
#include "passes/unflatten/unflatten.h"
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

/// An argument or result of a preserved call.
struct CallValue {
    NodeId node = {};           ///< of the flat graph; invalid for a constant and for a removed node
    InternedString name = {};   ///< of the node; empty for a constant
    Argument constant = {};
};

/// The preserved signature of a module call.
struct CallSignature {
    Argument inSpec;  ///< as stored in a `_spec_N` attribute
    Argument outSpec;
    std::size_t positionals = 0;
    std::vector<InternedString> keywords;
    std::vector<CallValue> inputs;
    std::vector<CallValue> outputs;
};

/// The preserved signatures of a program by call name ("a", "a@1"). Refuses an input spec other than a tuple of a tuple
/// (positional arguments) and a dict (keywords).
class CallSignatures {
public:
    static Result<CallSignatures> read(const Program& program);

    /// Null if the call has no signature or it was dropped.
    [[nodiscard]] const CallSignature* find(InternedString call) const;
    /// Paths of modules with a signature whose number of values differs from the leaves of its specs.
    [[nodiscard]] const std::vector<InternedString>& misfits() const { return m_misfits; }
    /// Drops the signatures of all calls of these modules.
    void giveUp(const std::unordered_set<InternedString>& paths);
    [[nodiscard]] bool empty() const { return m_signatures.empty(); }

private:
    std::unordered_map<InternedString, CallSignature> m_signatures;
    std::vector<InternedString> m_misfits;
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

/// A value that a module with a preserved signature reads without receiving it as an argument.
struct CrossingRead {
    NodeId value;               ///< of the flat graph
    std::uint32_t position = 0; ///< of the reader
    InternedString reader;      ///< path of the reading module
    bool isStep = false;        ///< only an intermediate step between another value and the buffer; it is written, not read
};

/// An attribute for an intermediate value.
struct IntermediateAttribute {
    ObjectId object;
    InternedString name;
    NodeId value; ///< of the flat graph
};

/// Why a flat graph could not be split. It may succeed without the signatures of the readers and of the modules that produce the
/// value.
struct UnreachableValue {
    NodeId value;
    std::vector<InternedString> readers; ///< paths of the reading modules
};

/// A get_attr node that reads a tensor or an object.
struct TensorRead {
    ObjectGraphId graph;
    NodeId node;
    std::uint32_t tensor; ///< number in TensorNames
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
    std::vector<CrossingRead> crossings;
    std::vector<IntermediateAttribute> intermediates;
    std::optional<UnreachableValue> unreachable; ///< if set, the remaining data is unusable

    /// Adds a node at the insert point of a graph, with the name that torch would assign.
    NodeId create(ObjectGraphId graph, NodeSpec spec);
};

/// Returns a path relative to a parent: "a.b" relative to "a" → "b"; nothing if it is not a descendant.
std::optional<std::string_view> accessor(std::string_view parent, std::string_view path);

/// Splits a flat graph by its module stacks. Values, including tensors, are passed down as arguments. Nodes without a stack
/// belong to the root. Refuses a placeholder after a call, a stack that does not begin with the root module, and
/// a module whose path is not below that of its caller. Linear in nodes plus arguments, times the depth of stacks.
Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
