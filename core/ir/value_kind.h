#pragma once

#include "ir/tensor_meta.h"

#include <string>
#include <string_view>

namespace sunder {

/// True when a tensor is in a `val` tree; what has none (an int, a symbolic int) takes no bytes worth counting.
bool holdsTensor(const Argument& val);

/// "symbolic int", "int", "float", "bool" of a `val` that is one number; else empty.
std::string_view numberKind(const Argument& val);

/// What a value takes, in words: "128 B", "no bytes" for what holds no tensor, "not known".
std::string describeSize(const std::optional<Argument>& val);

} // namespace sunder
