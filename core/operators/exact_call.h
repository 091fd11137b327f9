#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"
#include "operators/operator_facts.h"

#include <optional>
#include <span>
#include <string>

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

/// Returns the call of a node as a bitwise equivalent call of one registered overload. Accepts a call of an overload,
/// `torch.relu(x)`, `x.view(2, 3)`, `operator.add(x, 1)`, `torch.nn.functional.dropout(x, 0.1, False)`, and the like.
///
/// The `val`s of argument nodes in `graph` select the overload. `args` and `kwargs` may differ from the node's own if they were
/// replaced. Fails if there is no such call or if several overloads match; the message is a clause that follows the name of the
/// node. O(overloads · arguments).
Result<ChosenCall> exactCall(OperatorCatalog& operators, const Graph& graph, const Node& node, const Arguments& args,
                             const Keywords& kwargs);

/// Returns the value of an argument: a constant itself, or the `val` of a node; null if that is missing.
const Argument* valueIn(const Graph& graph, const Argument& argument);

/// A line of the table of operators that Python functions call: `core/operators/data/exact_calls.txt`.
struct ExactCallLine {
    std::string_view target;
    std::string_view packet;                 ///< "aten::dropout"
    std::vector<std::string_view> arguments; ///< names of parameters, or literals
    std::vector<std::string_view> conditions; ///< "inplace=False", "dim!=None"
};

/// Returns all lines in table order.
const std::vector<ExactCallLine>& exactCallLines();

} // namespace sunder
