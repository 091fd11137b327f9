#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The assumed value of a symbolic dimension. All sizes in bytes that depend on the symbol follow from it.
struct SizeAssumption {
    InternedString symbol;
    std::optional<std::int64_t> value = {}; ///< initially from the file: the size of the example inputs; nothing if unknown
    std::optional<std::int64_t> min = {};   ///< range in the file, inclusive
    std::optional<std::int64_t> max = {};
    InternedString input = {};  ///< first placeholder with a dimension equal to the symbol; empty if there is none
    std::size_t dimension = 0;  ///< index of that dimension
    bool isInput = false;       ///< the placeholder is the symbol itself, not a tensor
    friend bool operator==(const SizeAssumption&, const SizeAssumption&) = default;
};

using AssumedSize = std::pair<InternedString, std::int64_t>;

/// Returns the symbols in sizes of the program with their current values, sorted by text. O(values).
std::vector<SizeAssumption> sizeAssumptions(const Program& program);

/// Parses "s27=16,s3=4". Rejects invalid texts and duplicate symbols.
Result<std::vector<AssumedSize>> parseAssumedSizes(std::string_view text);

/// Returns "s27 (tokens, dimension 1)", naming an input with this dimension, or only the symbol if there is none. A .pt2 does not
/// contain the user's names of dimensions.
std::string describe(const SizeAssumption& assumption);

/// Returns the value closest to `wanted` that the file allows.
std::int64_t nearestAllowed(const SizeAssumption& assumption, std::int64_t wanted);

/// Returns "s27 = 8, s3 = 4"; empty without sizes.
std::string describe(std::span<const AssumedSize> sizes);

/// Returns the current values of the symbols, without those that have none.
std::vector<AssumedSize> assumedSizes(std::span<const SizeAssumption> assumptions);

/// True if nodes of the root graph have sizes from the file (`size_bytes`). These are constants, independent of assumptions, and
/// partitioners use them unchanged. O(nodes).
bool hasRecordedSizes(const Program& program);

/// Assigns new values to symbols and recomputes the hints of all dependent expressions. A hint that cannot be computed is
/// removed, so that the size is unknown rather than wrong. If all symbols of an expression have their values from the file, it
/// gets the hint from the file. Shapes, ranges, and weights are unchanged. Rejected without changing the program, with a
/// suggestion: unknown symbols, and values that are negative or outside the range in the file. O(values + expressions that
/// change).
Result<void> assumeSizes(Program& program, std::span<const AssumedSize> sizes);

/// Restores all hints of the file. Used for files to be executed, where assumptions must not replace the hints of the export.
void takeFileSizes(Program& program);

} // namespace sunder
