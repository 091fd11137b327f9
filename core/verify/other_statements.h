#pragma once

#include "ir/program.h"

#include <string>

namespace sunder {

/// What two files state that nobody looks at elsewhere, and that differs, as half a sentence: guards, hooks and replaced code of modules
/// with graphs, lines and keys of later versions. Empty if nothing differs. Linear in nodes, modules and their texts.
std::string differentStatements(const Program& a, const Program& b);

} // namespace sunder
