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
    NodeId flat = {};     ///< the placeholder that it replaces
};

/// The module calls of a flat graph, each with its own graph.
struct Outline {
    ModuleObjects objects;
    GraphNames names;
    std::vector<CallRecord> calls; ///< in order of their start
    bool hasRepeats = false;       ///< a module is called more than once
    std::vector<OutlinePair> pairs;
    bool readsDirectly = false;    ///< modules read their tensors; no module receives its own tensors as arguments
    bool isOutOfOrder = false;     ///< reads of tensors are not in torch's order; pass tensors as arguments instead
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

/// Splits a flat graph by its module stacks. Values are passed down as arguments. So are tensors, as in torch, unless `tensors`
/// is given: then each module reads its own tensors and those of its descendants, by nodes that settleReads() names. Nodes
/// without a stack belong to the root. Refuses a placeholder after a call, a stack that does not begin with the root module, and
/// a module whose path is not below that of its caller. Linear in nodes plus arguments, times the depth of stacks.
Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const TensorNames* tensors, const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
