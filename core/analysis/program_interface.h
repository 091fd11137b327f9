#pragma once

#include "ir/program.h"

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

} // namespace sunder
