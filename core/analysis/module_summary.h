#pragma once

#include "ir/program.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// An input or output of a program.
struct InterfaceValue {
    std::string name;         ///< of the placeholder or the producer; empty if there is none
    std::string type;         ///< "f32[2, 3]"; "None", "5", "'mean'" for a literal; empty if unknown
    bool isLiteral = false;   ///< the program is specialized for this value and accepts no other
    OutputKind kind = OutputKind::user; ///< of an output
    InternedString target = {};         ///< of an output: the mutated or differentiated tensor
};

/// Returns the inputs of the root graph except weights, in order. O(nodes + signature).
std::vector<InterfaceValue> inputsOf(const Program& program);

/// Returns the outputs of the root graph in order: the flat outputs of the signature, otherwise each value in the output's
/// arguments, including literals. O(signature + arguments of the output).
std::vector<InterfaceValue> outputsOf(const Program& program);

/// Describes the role of an output: "result", "new value of buffer bn.running_mean", "loss", "gradient of fc.weight".
std::string describeRole(const InterfaceValue& output);

/// Returns "user", "buffer_mutation", "parameter_mutation", "input_mutation", "loss", "gradient" or "token".
std::string_view nameOf(OutputKind kind);

/// Op and weight counts of a module.
struct ModuleSummary {
    InternedString path; ///< empty for the whole model
    InternedString cls;  ///< without its package; empty if unknown
    std::uint32_t depth = 0;         ///< number of enclosing modules
    std::uint32_t ops = 0;           ///< calls of the root graph in it
    std::uint32_t tensors = 0;       ///< parameters, buffers and constants at and below its path, each object once
    std::uint64_t parameters = 0;    ///< total elements of the parameters among them
    std::uint64_t bytes = 0;         ///< of these tensors, each memory once
};

/// Returns the modules of a program that run or hold weights: the whole model first, each before its submodules. An exported
/// program no longer has modules; its modules are those recorded in its nodes and weights. O((nodes + tensors) × depth of their
/// paths).
std::vector<ModuleSummary> moduleSummaries(const Program& program);

} // namespace sunder
