#pragma once

#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// A value or tensor at the border of a submodule, as the split program has it.
struct SubmodulePort {
    /// The program's own input or output, and calls of the root graph that are in no part.
    static constexpr std::int32_t kProgram = -1;

    NodeId node;               ///< of the graph in question: a placeholder, a value that is given, an attribute that is read
    InternedString name;       ///< of the node; of a tensor its name in the model
    TensorId tensor = {};      ///< of a parameter, buffer or constant
    std::uint64_t bytes = 0;   ///< 0 when not known
    bool isKnown = true;
    std::int32_t from = kProgram;       ///< the part that makes it
    std::vector<std::int32_t> to = {};  ///< parts that read it, ascending, each once
    bool toProgram = false;             ///< the program gives it
    friend bool operator==(const SubmodulePort&, const SubmodulePort&) = default;
};

/// What one graph of a split program takes and gives.
struct SubmoduleInterface {
    std::vector<SubmodulePort> inputs;     ///< in order of placeholders, without lifted tensors
    std::vector<SubmodulePort> outputs;    ///< in the order in which they are given
    std::vector<SubmodulePort> parameters; ///< parameters, buffers, constants: passed in, or held under its path
    std::uint64_t parameterBytes = 0;      ///< each memory once
};

/// The interface of a part, or of the root graph, read off the split program itself: arguments and getitems of the call
/// in the root graph say where a value comes from and goes to. `partNames` are the modules that the root graph calls;
/// `from` and `to` are places in it. A part that is never called has its own values and no ways.
/// O(root graph + graph + tensors).
SubmoduleInterface submoduleInterface(const Program& split, GraphId graph, std::span<const InternedString> partNames);

} // namespace sunder
