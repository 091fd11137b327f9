#pragma once

#include "verify/normal_call.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// A line of the table of equivalent calls: `core/operators/data/normal_forms.txt`.
struct NormalRule {
    std::string_view name;
    std::vector<std::string_view> operators; ///< ATen operators without overloads
    std::vector<std::string_view> arguments;
    std::string_view condition;
};

/// Applies a rule to a call of one of its operators, if its condition holds.
using ApplyRule = void (*)(NormalCall&, const NormalRule&, const KnownNodes&);

/// Returns all rules in table order.
const std::vector<NormalRule>& normalRules();

/// Whether a rule names an operator, "aten::add".
bool isRuleFor(std::string_view rule, std::string_view packet);

/// Whether a copy or view of the same shape, whose strides PyTorch computes, has the strides of the tensor: no size is one, or
/// the producing operator always returns the strides of torch.empty.
bool keepsStrides(const Argument& argument, const KnownNodes& known);

/// Whether results of this operator are contiguous for all strides of its arguments ("laid-densely" in the table).
bool laysDensely(std::string_view packet);

/// Whether results are not saved for a backward pass, and are dense (without gaps, in some order of dimensions) for all strides
/// of the arguments ("unsaved" in the table, or laysDensely()).
bool isUnsaved(std::string_view packet);

/// Normalizes a call. The result is equivalent, bit for bit and in the same memory, if `known` is correct.
/// O(rules of the operator · arguments).
void normalize(NormalCall& call, const KnownNodes& known);

/// Returns, by name, the rules for calls that return their argument or a view of it (normal_views.cpp).
std::span<const std::pair<std::string_view, ApplyRule>> viewRules();

} // namespace sunder
