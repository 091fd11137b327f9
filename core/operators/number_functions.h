#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sunder {

/// A function of numbers under all of its names: a line of `core/operators/data/number_functions.txt`.
struct NumberFunction {
    std::vector<std::string_view> names;
    std::size_t operands = 0;           ///< 0: it is only known that the result can be any number if an operand can
    std::vector<std::string_view> like; ///< functions that it equals on some range of numbers: "identity", "zero", "nan"
    bool isTotal = false; ///< its out-of-place form succeeds for dense tensors of every shape and dtype
    std::vector<double> neutral;        ///< second operands for which it may equal other functions

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
bool areToldApart(const NumberFunction& a, const NumberFunction& b);

} // namespace sunder
