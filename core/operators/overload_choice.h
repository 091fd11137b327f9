#pragma once

#include "operators/operator_facts.h"

#include "ir/graph.h"

#include <optional>
#include <span>

namespace sunder {

/// A call of one overload of a registered operator, with arguments in the order of its schema: by position as long as all
/// before are given, then by the names that the schema has.
struct ChosenCall {
    InternedString target; ///< "torch.ops.aten.add.Tensor"
    Arguments args = {};
    Keywords kwargs = {};
};

/// Of the overloads of a packet the one that PyTorch calls with these arguments, told by the kinds of constants and by
/// the values (`val`) of nodes of `graph`; a lone number stands for a list where the schema gives its length, and the
/// last list takes what is left, as in `x.view(2, 3)`. Where several fit, the one without a name does, which is the
/// same call with more left out; nothing when none fits, or when it is not certain which. O(overloads · arguments).
std::optional<ChosenCall> chooseOverload(std::span<const OperatorOverload> overloads, const Arguments& args,
                                         const Keywords& kwargs, const Graph& graph);

} // namespace sunder
