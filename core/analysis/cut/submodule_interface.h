#pragma once

#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// A value or tensor at the boundary of a submodule in a split program.
struct SubmodulePort {
    /// The program's inputs and outputs, and calls of the root graph outside any part.
    static constexpr std::int32_t kProgram = -1;

    NodeId node;               ///< in the inspected graph: a placeholder, an output value, or a get_attr node
    InternedString name;       ///< of the node; for a tensor, its name in the model
    TensorId tensor = {};      ///< of a parameter, buffer or constant
    std::uint64_t bytes = 0;   ///< 0 if unknown
    bool isKnown = true;
    std::int32_t from = kProgram;       ///< producing part
    std::vector<std::int32_t> to = {};  ///< consuming parts, ascending, without repeats
    bool toProgram = false;             ///< also an output of the program
    friend bool operator==(const SubmodulePort&, const SubmodulePort&) = default;
};

/// The inputs and outputs of a graph in a split program.
struct SubmoduleInterface {
    std::vector<SubmodulePort> inputs;     ///< in placeholder order, without lifted tensors
    std::vector<SubmodulePort> outputs;    ///< in output order
    std::vector<SubmodulePort> parameters; ///< parameters, buffers, constants: passed in, or below its path
    std::uint64_t parameterBytes = 0;      ///< each memory once
};

/// Returns the interface of a part or of the root graph of a split program. Arguments and getitems of the call in the root graph
/// determine producers and consumers. `partNames` are the modules called by the root graph; `from` and `to` are indices into it.
/// A part that is never called has no producers and consumers. O(root graph + graph + tensors).
SubmoduleInterface submoduleInterface(const Program& split, GraphId graph, std::span<const InternedString> partNames);

} // namespace sunder
