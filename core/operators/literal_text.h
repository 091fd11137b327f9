#pragma once

#include "operators/operator_schema.h"

#include "ir/argument.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// What stands between separators; an empty text has no pieces. O(length).
std::vector<std::string_view> piecesOf(std::string_view text, char separator);

/// A constant as Python writes it: None, a truth value or a number; nothing for what is none of these.
std::optional<Argument> literalOf(std::string_view text);

/// What an argument is where a call leaves it out, as a call would give it: of a schema's `int[2] stride=1` the list [1, 1].
/// Nothing where it has to be given, or where the default is not told by its text alone (numbers that stand for a dtype or
/// a memory format, texts with escapes). O(length).
std::optional<Argument> defaultOf(const SchemaArgument& argument);

} // namespace sunder
