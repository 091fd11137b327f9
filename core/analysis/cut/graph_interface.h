#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A value or tensor at the boundary of a graph: of a program, of a part of a cut, or of a module.
struct Port {
    /// The program: its inputs and outputs, and calls of the root graph in no part.
    static constexpr std::int32_t kProgram = TagAssignment::kUntagged;

    /// In the inspected graph: a placeholder, a producer, or the node that reads a weight. Invalid for an output that is a literal.
    NodeId node = {};
    TensorId tensor = {}; ///< of a weight: a parameter, buffer or constant
    std::uint64_t bytes = 0; ///< 0 if unknown
    bool isKnown = true;
    bool hasNoTensor = false; ///< an int, a symbolic int …: known to occupy no bytes
    bool toProgram = false; ///< also an output of the program
    bool toUntagged = false; ///< also consumed by calls in no part
    std::int32_t from = kProgram; ///< producing part
    std::vector<std::int32_t> to = {}; ///< other parts that consume it, ascending
    std::optional<Argument> literal = {}; ///< a constant: the program accepts or returns no other value
    InputKind inputKind = InputKind::user; ///< of an input of an exported program
    OutputKind outputKind = OutputKind::user; ///< of an output of an exported program
    InternedString target = {}; ///< of an output: the tensor that it replaces, or whose gradient it is
    friend bool operator==(const Port&, const Port&) = default;
};

/// The values and tensors that enter and leave a graph. PartMetrics holds those of a part in a cut.
struct GraphInterface {
    std::vector<Port> inputs; ///< in placeholder order; of a part in a cut by first use, which split_by_tags makes their order
    std::vector<Port> outputs; ///< in output order; of a part in a cut in graph order
    std::vector<Port> weights; ///< passed in, or below the path of the graph; empty for a part in a cut
    std::uint64_t weightBytes = 0; ///< each memory once
    friend bool operator==(const GraphInterface&, const GraphInterface&) = default;
};

/// Returns the interface of the root graph of a program, or of a part in a split program. Arguments and getitems of the call in
/// the root graph determine producers and consumers. `partNames` are the modules called by the root graph; `from` and `to` are
/// indices into it. A part that is never called has no producers and consumers. O(root graph + graph + tensors).
GraphInterface graphInterface(const Program& program, GraphId graph, std::span<const InternedString> partNames = {});

/// Returns the leaves of the output node's arguments, or of a nested result, in order, including literals. O(leaves).
std::vector<Port> outputPorts(const Graph& graph);
std::vector<Port> outputPorts(const Argument& result);

/// Finds the other parts that consume a value, in ascending order without repeats; none for a call without a part. Overwrites
/// `found`. O(readers × log readers).
void consumersOf(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::uint32_t value,
                 std::vector<std::int32_t>& found);

/// Returns "f32[2, 3]"; "None", "5", "'mean'" for a literal; empty if unknown.
std::string describeType(const Port& port, const Graph& graph);

/// Describes the role of an output: "result", "new value of buffer bn.running_mean", "loss", "gradient of fc.weight".
std::string describeRole(const Port& output);

} // namespace sunder
