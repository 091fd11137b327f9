#pragma once

#include "ir/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A value that a program takes or gives.
struct InterfaceValue {
    std::string name;         ///< of the placeholder, or of the node that makes it; empty where there is none
    std::string type;         ///< "f32[2, 3]", or "None", "5", "'mean'" for a literal; empty when it is not known
    bool isLiteral = false;   ///< the program was exported for this value and takes no other
    OutputKind kind = OutputKind::user; ///< of an output
    InternedString target = {};         ///< of an output: what is written, or differentiated
};

/// What the placeholders of the root graph take that are no weights, in order. O(nodes + signature).
std::vector<InterfaceValue> inputsOf(const Program& program);

/// What the root graph gives, in order: by the signature each flat output; else each value in the output's arguments, and
/// literals beside them. O(signature + arguments of the output).
std::vector<InterfaceValue> outputsOf(const Program& program);

/// "result", "new value of buffer bn.running_mean", "loss", "gradient of fc.weight".
std::string describeRole(const InterfaceValue& output);

/// "user", "buffer_mutation", "parameter_mutation", "input_mutation", "loss", "gradient", "token".
std::string_view nameOf(OutputKind kind);

} // namespace sunder
