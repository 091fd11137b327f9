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

/// What is taken a symbol of a program's sizes to be: all bytes that depend on it follow from that.
struct SizeAssumption {
    InternedString symbol;
    std::optional<std::int64_t> value = {}; ///< from the file: what it was for the example inputs; nothing when it does not say
    std::optional<std::int64_t> min = {};   ///< of the file's range, both included
    std::optional<std::int64_t> max = {};
    InternedString input = {};  ///< the first placeholder with a dimension that is this symbol; empty when none has
    std::size_t dimension = 0;  ///< which one of it
    bool isInput = false;       ///< the placeholder is no tensor but the symbol itself
    friend bool operator==(const SizeAssumption&, const SizeAssumption&) = default;
};

using AssumedSize = std::pair<InternedString, std::int64_t>;

/// The symbols in sizes of the program, by text, with what they are now. O(values).
std::vector<SizeAssumption> sizeAssumptions(const Program& program);

/// Reads "s27=16,s3=4". Refused: what is no such text, a symbol twice.
Result<std::vector<AssumedSize>> parseAssumedSizes(std::string_view text);

/// "s27 (tokens, dimension 1)", by the input where it stands; its own text where no input has it. A .pt2 keeps no names that
/// somebody gave to dimensions, so this is what they are called.
std::string describe(const SizeAssumption& assumption);

/// What is closest to `wanted` of what the file allows.
std::int64_t nearestAllowed(const SizeAssumption& assumption, std::int64_t wanted);

/// "s27 = 8, s3 = 4"; empty without sizes.
std::string describe(std::span<const AssumedSize> sizes);

/// What the symbols are now, those without a value left out.
std::vector<AssumedSize> assumedSizes(std::span<const SizeAssumption> assumptions);

/// Whether nodes of the root graph have sizes that the file gives (`size_bytes`): constants, which follow no assumption and which
/// partitioners take as they stand. O(nodes).
bool givesSizes(const Program& program);

/// Gives symbols other values: the hint of every expression that depends on one is worked out anew, and is gone where that cannot
/// be done, so that a size is unknown rather than wrong. Where all of its symbols are as the file has them it is the file's again.
/// Shapes, ranges and weights stay. Refused, with the program as it was, and with what could be taken instead: a symbol that no
/// size has, a value outside of the file's range or below 0. O(values + expressions that change).
Result<void> assumeSizes(Program& program, std::span<const AssumedSize> sizes);

/// Undoes all assumptions: hints are the file's. For what is written to be run, whose hints are not ours to change.
void takeFileSizes(Program& program);

} // namespace sunder
