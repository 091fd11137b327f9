#pragma once

#include "support/interned_string.h"

#include <cstdint>

namespace sunder {

// Converts numbers of the serialization schema (`docs/model-files.md`, "The schema") to fx-json names. Empty for unknown numbers.

/// ScalarType: 7 → "float32".
InternedString dtypeOfScalarType(std::int64_t number);
/// The inverse: "float32" → 7; 0 for a dtype that is not in the schema.
std::int64_t scalarTypeOfDtype(std::string_view dtype);
/// Layout: 7 → "strided".
InternedString layoutOfNumber(std::int64_t number);
/// MemoryFormat: 1 → "contiguous_format".
InternedString memoryFormatOfNumber(std::int64_t number);

/// True for a Python keyword, which cannot name an argument in a call.
bool isPythonKeyword(std::string_view name);

} // namespace sunder
