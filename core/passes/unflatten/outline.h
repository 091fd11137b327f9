#pragma once

#include "passes/unflatten/call_signature.h"
#include "passes/unflatten/graph_names.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/module_stacks.h"
#include "passes/unflatten/node_table.h"
#include "passes/unflatten/tensor_names.h"
#include "passes/unflatten/unflatten.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A call of a module: who calls, what is called, and the object that has the graph of this call.
struct CallRecord {
    ObjectId parent;           ///< the object whose graph has the call
    NodeId node;               ///< the call_module node there
    InternedString parentPath; ///< without call index
    InternedString path;       ///< of the module that is called, without call index
    std::uint32_t call = 0;    ///< call index
    InternedString name;       ///< path with call index, as it stands in the table
    ObjectId object;
    std::uint32_t first = 0;   ///< the first call of the same module: an index into the calls, maybe of this one
    InternedString displacedFrom = {}; ///< name in the table that a later call took over; `name` is then another
};

/// A node of the flat graph, and a node of the graph of an object that stands for it.
struct OutlinePair {
    NodeId flat;
    ObjectGraphId graph;
    NodeId node;
    bool created; ///< carries the value over a boundary; it is not its copy
};

/// A value that a module with a preserved signature reads though it is none of its arguments.
struct CrossingRead {
    NodeId value;               ///< of the flat graph
    std::uint32_t position = 0; ///< of the reading node
    InternedString reader;      ///< path of the module that reads
    bool isStep = false;        ///< only on the way from another value to the buffer; it is written, not read
};

/// An attribute that holds an intermediate value.
struct IntermediateAttribute {
    ObjectId object;
    InternedString name;
    NodeId value; ///< of the flat graph
};

/// Why a flat graph could not be cut: without the signatures of these modules and of those that made the value it may.
struct UnreachableValue {
    NodeId value;
    std::vector<InternedString> readers; ///< paths
};

/// A get_attr node that reads a tensor or an object.
struct TensorRead {
    ObjectGraphId graph;
    NodeId node;
    std::uint32_t tensor; ///< number of TensorNames
    NodeId flat = {};     ///< the placeholder that it stands for
};

/// The calls of modules that the nodes of a flat graph belong to, each with a graph of its own.
struct Outline {
    ModuleObjects objects;
    GraphNames names;
    std::vector<CallRecord> calls; ///< in order of their beginning
    bool hasRepeats = false;       ///< a module is called more than once
    std::vector<OutlinePair> pairs;
    bool readsDirectly = false;    ///< modules read their tensors; nothing has been passed to them that they hold
    bool isOutOfOrder = false;     ///< reads of tensors are not in torch's order: pass tensors as arguments instead
    std::vector<char> isSunk;      ///< per object graph: it, or a call in it, does without an argument for a tensor
    std::vector<NodeTable> sunk;   ///< per object graph: placeholders that have become get_attr nodes
    std::vector<TensorRead> reads; ///< those of a graph in the order in which they were asked for
    std::vector<CrossingRead> crossings;
    std::vector<IntermediateAttribute> intermediates;
    std::optional<UnreachableValue> unreachable; ///< set: the rest is not to be used

    /// Adds a node at the insert point of a graph, under a name that torch would give.
    NodeId create(ObjectGraphId graph, NodeSpec spec);
};

/// "a.b" seen from "a" → "b"; nothing when it does not lie below.
std::optional<std::string_view> accessor(std::string_view parent, std::string_view path);

/// Cuts a flat graph at its module stacks. Values are passed down as arguments. So are tensors, as in torch, unless
/// `tensors` are given: then a module reads what lies in it or below, by nodes that settleReads() gives a name. Refuses a
/// node without a stack and a stack that is no path. Linear in nodes plus arguments, times the depth of stacks.
Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const TensorNames* tensors, const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
