#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// What is taken a symbol of a program's sizes to be: all bytes that depend on it follow from that.
struct SizeAssumption {
    InternedString symbol;
    std::optional<std::int64_t> value = {}; ///< from the file: what it was for the example inputs; nothing when it does not say
    std::optional<std::int64_t> min = {};   ///< of the file's range, both included
    std::optional<std::int64_t> max = {};
    InternedString input = {};  ///< the first placeholder with a dimension that is this symbol; empty when none has
    std::size_t dimension = 0;  ///< which one of it
    friend bool operator==(const SizeAssumption&, const SizeAssumption&) = default;
};

using AssumedSize = std::pair<InternedString, std::int64_t>;

/// The symbols in sizes of the program, by text, with what they are now. O(values).
std::vector<SizeAssumption> sizeAssumptions(const Program& program);

/// Reads "s27=16,s3=4". Refused: what is no such text, a symbol twice.
Result<std::vector<AssumedSize>> parseAssumedSizes(std::string_view text);

/// Gives symbols other values: the hint of every expression that depends on one is worked out anew, and is gone where that cannot
/// be done, so that a size is unknown rather than wrong. Shapes, ranges and weights stay. Refused, with the program as it was: a
/// symbol that no size has, a value outside of the file's range or below 0. O(values + expressions that change).
Result<void> assumeSizes(Program& program, std::span<const AssumedSize> sizes);

} // namespace sunder
