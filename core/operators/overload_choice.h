#pragma once

#include "operators/operator_facts.h"

#include "ir/graph.h"

#include <optional>
#include <span>

namespace sunder {

/// A call of one overload of a registered operator. Arguments are in schema order: positional until the first one is missing,
/// then by their schema names.
struct ChosenCall {
    InternedString target; ///< "torch.ops.aten.add.Tensor"
    Arguments args = {};
    Keywords kwargs = {};
};

/// Selects the overload of a packet that PyTorch calls with these arguments, judging by the kinds of constants and by the `val`s
/// of nodes of `graph`. A single number may be passed for a list of fixed length, and the last list collects surplus arguments,
/// as in `x.view(2, 3)`. If several overloads match, the one without a name is used, because it is the same call with more
/// defaults. Returns nothing if none matches or the choice is ambiguous. O(overloads · arguments).
std::optional<ChosenCall> chooseOverload(std::span<const OperatorOverload> overloads, const Arguments& args,
                                         const Keywords& kwargs, const Graph& graph);

} // namespace sunder
