#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A promise of `core/operators/data/rounding.txt`, which also documents its conditions.
struct RoundingPromise {
    /// An operand that must be positive, by name and index.
    struct Positive {
        std::string_view name;
        std::size_t place = 0;
    };

    std::vector<std::string_view> names;
    bool rounds = false;     ///< the strides of its inputs affect rounding only
    bool continuous = false; ///< small changes of its inputs change its results little
    bool dense = false;      ///< results are contiguous for all strides of its inputs
    bool isRestFixed = false;  ///< continuous in the first operand only
    bool isFirstFixed = false; ///< continuous in operands other than the first only
    bool needsConstants = false; ///< if all operands but the first are constants
    bool needsNoDtype = false;   ///< if no operand is a dtype
    std::optional<std::size_t> mostOperands; ///< at most this many positional operands
    std::size_t leastOperands = 0;           ///< at least this many positional operands
    std::optional<std::size_t> wholePlace;   ///< if this operand is a constant nonnegative integer
    std::optional<std::size_t> offPlace;     ///< if this operand is False
    std::optional<Positive> positive;        ///< if this operand is a constant above 0, or omitted
    std::string_view without;                ///< if no operand is passed by this name
};

/// Returns all promises in table order.
const std::vector<RoundingPromise>& roundingPromises();

/// Returns the promises of a target ("torch.ops.aten.add_.Tensor", "torch.add", "_operator.iadd", a method "add") or of the class
/// of a leaf module. Empty for others, including operators of other libraries. O(log promises).
std::vector<const RoundingPromise*> roundingPromisesOf(std::string_view target);

} // namespace sunder
