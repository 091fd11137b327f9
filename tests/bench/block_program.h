#pragma once

#include "ir/program.h"

namespace sunder {

/// How a program of repeated blocks holds its parameters.
enum class BlockForm : std::uint8_t {
    attributes, ///< get_attr nodes, as in symbolic tracing
    exported,   ///< placeholders with an export signature, and a module stack on every node
};

/// Returns a program of about `calls` calls in equal blocks of ten. A block is a residual MLP layer with two parameters: its
/// output is split in two, concatenated, and added to its input. Every fourth block also reads the first input. The modules are
/// "blocks.0", "blocks.1", and so on. Every value is a float32 tensor of shape [4, 16]. Linear.
Program blockProgram(std::size_t calls, BlockForm form);

} // namespace sunder
