#pragma once

#include "operators/operator_schema.h"

#include "ir/argument.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// Splits a text at a separator. An empty text has no pieces. O(length).
std::vector<std::string_view> piecesOf(std::string_view text, char separator);

/// Parses a Python constant: None, a boolean, or a number. Returns nothing for other texts.
std::optional<Argument> literalOf(std::string_view text);

/// Returns the value of an omitted argument: the list [1, 1] for `int[2] stride=1` of a schema. Returns nothing if the argument
/// is required, or if the text alone does not determine the default (numbers that denote a dtype or a memory format, texts with
/// escapes). O(length).
std::optional<Argument> defaultOf(const SchemaArgument& argument);

} // namespace sunder
