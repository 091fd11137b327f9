#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A promise of `core/operators/data/rounding.txt`, which also lists its conditions.
struct RoundingPromise {
    /// An operand that has to be positive, by name and place.
    struct Positive {
        std::string_view name;
        std::size_t place = 0;
    };

    std::vector<std::string_view> names;
    bool rounds = false;     ///< other strides of its inputs affect rounding only
    bool continuous = false; ///< small changes of its inputs change its results little
    bool dense = false;      ///< results are contiguous for all strides of its inputs
    bool isRestFixed = false;  ///< continuous in the first operand only
    bool isFirstFixed = false; ///< continuous in operands other than the first only
    bool needsConstants = false; ///< if all operands but the first are constants
    bool needsNoDtype = false;   ///< if no operand is a dtype
    std::optional<std::size_t> mostOperands; ///< at most this many operands by position
    std::size_t leastOperands = 0;           ///< at least this many
    std::optional<std::size_t> wholePlace;   ///< if this operand is a constant whole number from 0
    std::optional<std::size_t> offPlace;     ///< if this operand is False
    std::optional<Positive> positive;        ///< if this operand is a constant above 0, or left out
    std::string_view without;                ///< if no operand is given by this name
};

/// All of them, in their order.
const std::vector<RoundingPromise>& roundingPromises();

/// The promises of a target: "torch.ops.aten.add_.Tensor", "torch.add", "_operator.iadd", as a method "add"; or of the class of a
/// leaf module. Empty for others, and for operators of libraries that are not PyTorch's. O(log promises).
std::vector<const RoundingPromise*> roundingPromisesOf(std::string_view target);

} // namespace sunder
