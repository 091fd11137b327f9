#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sunder {

/// A function of numbers, by whatever name it is called: a line of `core/operators/data/number_functions.txt`.
struct NumberFunction {
    std::vector<std::string_view> names;
    std::size_t operands = 0;           ///< 0: known is only that its result can be any number where one of its operands can
    std::vector<std::string_view> like; ///< what it is on some range of numbers: "identity", "zero", "nan"
    bool isTotal = false; ///< if it does not write in place, it succeeds for dense tensors of every shape and dtype
    std::vector<double> neutral;        ///< second operands at which it is what other functions are there

    [[nodiscard]] bool isLike(std::string_view what) const;
    [[nodiscard]] bool isNeutral(double number) const;
};

/// All of them, in their order.
const std::vector<NumberFunction>& numberFunctions();

/// The name by which tables of functions know a target of PyTorch's own: "add" for "torch.ops.aten.add_.Tensor" and `__add__`, "Linear"
/// for "torch.nn.modules.linear.Linear". Empty for other targets.
std::string_view nameOfTorch(std::string_view target);

/// What a target calls: "torch.ops.aten.add_.Tensor", "torch.add", "_operator.iadd", as a method "add"; or the class of a leaf
/// module. Null for others, and for operators of libraries that are not PyTorch's. O(log functions).
const NumberFunction* numberFunctionOf(std::string_view target);

/// Whether two of them, on the same operands that can be any numbers, compute different things for sure.
bool areToldApart(const NumberFunction& a, const NumberFunction& b);

} // namespace sunder
