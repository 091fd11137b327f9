#pragma once

#include "ir/program.h"

#include <string>

namespace sunder {

/// Compares guards, hooks, and replaced code of modules with graphs, and content from later file format versions. Returns the
/// first difference as half a sentence; empty if there is none. Linear in nodes, modules, and their texts.
std::string differentStatements(const Program& a, const Program& b);

} // namespace sunder
