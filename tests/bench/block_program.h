#pragma once

#include "ir/program.h"

namespace sunder {

/// How a program of repeated blocks comes by its parameters.
enum class BlockForm : std::uint8_t {
    attributes, ///< get_attr nodes, as symbolic tracing makes
    exported,   ///< placeholders with an export signature, and the stack of modules at every node
};

/// A program of about `calls` calls in equal blocks of ten: a residual MLP layer with two parameters of its own, whose
/// output is split in two, put together again and added to its input; every fourth also reads the first input.
/// The modules are "blocks.0", "blocks.1" and so on. Every value is a float32 tensor of 4 × 16. Linear.
Program blockProgram(std::size_t calls, BlockForm form);

} // namespace sunder
