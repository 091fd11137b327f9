#pragma once

#include "operators/operator_catalogue.h"
#include "operators/overload_choice.h"

#include <string>

namespace sunder {

/// Returns the call of a node as a bitwise equivalent call of one registered overload. Accepts a call of an overload,
/// `torch.relu(x)`, `x.view(2, 3)`, `operator.add(x, 1)`, `torch.nn.functional.dropout(x, 0.1, False)`, and the like.
///
/// The `val`s of argument nodes in `graph` select the overload. `args` and `kwargs` may differ from the node's own if they were
/// replaced. Fails if there is no such call or if several overloads match; the message is a clause that follows the name of the
/// node. O(overloads · arguments).
Result<ChosenCall> exactCall(OperatorCatalog& operators, const Graph& graph, const Node& node, const Arguments& args,
                             const Keywords& kwargs);

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
