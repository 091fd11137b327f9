#pragma once

#include "passes/unflatten/call_signature.h"
#include "passes/unflatten/module_objects.h"
#include "passes/unflatten/module_stacks.h"
#include "passes/unflatten/node_table.h"
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

/// The calls of modules that the nodes of a flat graph belong to, each with a graph of its own.
struct Outline {
    ModuleObjects objects;
    std::vector<CallRecord> calls;                  ///< in order of their beginning
    std::vector<std::vector<std::uint32_t>> groups; ///< calls of one module, by their first; indices into `calls`
    std::vector<OutlinePair> pairs;
    std::vector<char> isSunk;    ///< per object graph: it, or a call in it, has lost an argument
    std::vector<NodeTable> sunk; ///< per object graph: placeholders that have become get_attr nodes
    std::vector<std::vector<std::pair<NodeId, std::uint32_t>>> reads; ///< per object graph: get_attr node, tensor number
    std::vector<CrossingRead> crossings;
    std::vector<IntermediateAttribute> intermediates;
    std::optional<UnreachableValue> unreachable; ///< set: the rest is not to be used
};

/// "a.b" seen from "a" → "b"; nothing when it does not lie below.
std::optional<std::string_view> accessor(std::string_view parent, std::string_view path);

/// Cuts a flat graph at its module stacks. Placeholders, parameters among them, are passed down as arguments. Refuses
/// a node without a stack and a stack that is no path. Linear in nodes plus arguments, times the depth of stacks.
Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
