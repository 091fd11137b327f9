#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A function of numbers under all of its names: a line of `core/operators/data/number_functions.txt`.
struct NumberFunction {
    std::vector<std::string_view> names;
    std::size_t operands = 0; ///< 0: it is only known that the result can be any number if an operand can
    std::vector<std::string_view> like; ///< functions that it equals on some range of numbers: "identity", "zero", "nan"
    bool isTotal = false; ///< its out-of-place form succeeds for dense tensors of every shape and dtype
    std::vector<double> neutral; ///< second operands for which it may equal other functions

    [[nodiscard]] bool isLike(std::string_view what) const;
    [[nodiscard]] bool isNeutral(double number) const;
};

/// Returns all functions in table order.
const std::vector<NumberFunction>& numberFunctions();

/// Returns the name of a PyTorch target in tables of functions: "add" for "torch.ops.aten.add_.Tensor" and `__add__`, "Linear"
/// for "torch.nn.modules.linear.Linear". Empty for other targets.
std::string_view nameOfTorch(std::string_view target);

/// Returns the function of a target: "torch.ops.aten.add_.Tensor", "torch.add", "_operator.iadd", a method "add", or the class of
/// a leaf module. Null for others, including operators of other libraries. O(log functions).
const NumberFunction* numberFunctionOf(std::string_view target);

/// Whether two functions certainly compute different results for the same operands, if these can be any numbers.
bool areDistinguishable(const NumberFunction& a, const NumberFunction& b);

/// A promise of `core/operators/data/rounding.txt`, which also documents its conditions.
struct RoundingPromise {
    /// An operand that must be positive, by name and index.
    struct Positive {
        std::string_view name;
        std::size_t place = 0;
    };

    std::vector<std::string_view> names;
    bool rounds = false; ///< the strides of its inputs affect rounding only
    bool continuous = false; ///< small changes of its inputs change its results little
    bool dense = false; ///< results are contiguous for all strides of its inputs
    bool isRestFixed = false; ///< continuous in the first operand only
    bool isFirstFixed = false; ///< continuous in operands other than the first only
    bool needsConstants = false; ///< if all operands but the first are constants
    bool needsNoDtype = false; ///< if no operand is a dtype
    std::optional<std::size_t> mostOperands; ///< at most this many positional operands
    std::size_t leastOperands = 0; ///< at least this many positional operands
    std::optional<std::size_t> wholePlace; ///< if this operand is a constant nonnegative integer
    std::optional<std::size_t> offPlace; ///< if this operand is False
    std::optional<Positive> positive; ///< if this operand is a constant above 0, or omitted
    std::string_view without; ///< if no operand is passed by this name
};

/// Returns all promises in table order.
const std::vector<RoundingPromise>& roundingPromises();

/// Returns the promises of a target ("torch.ops.aten.add_.Tensor", "torch.add", "_operator.iadd", a method "add") or of the class
/// of a leaf module. Empty for others, including operators of other libraries. O(log promises).
std::vector<const RoundingPromise*> roundingPromisesOf(std::string_view target);

} // namespace sunder
