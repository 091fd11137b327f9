#pragma once

#include "operators/operator_catalogue.h"
#include "operators/overload_choice.h"

#include <string>

namespace sunder {

/// What a node calls as a call of one registered overload that does the same, bit for bit: an overload as it is,
/// `torch.relu(x)`, `x.view(2, 3)`, `operator.add(x, 1)`, `torch.nn.functional.dropout(x, 0.1, False)`. Values (`val`) of
/// the nodes of `graph` in its arguments decide which overload it is; `args` and `kwargs` may differ from the node's own
/// where these were replaced. Refuses, with a clause that follows the name of the node, what is no such call or may be of
/// several overloads. O(overloads · arguments).
Result<ChosenCall> exactCall(OperatorCatalogue& operators, const Graph& graph, const Node& node, const Arguments& args,
                             const Keywords& kwargs);

/// A line of what Python functions call: `core/operators/data/exact_calls.txt`.
struct ExactCallLine {
    std::string_view target;
    std::string_view packet;                 ///< "aten::dropout"
    std::vector<std::string_view> arguments; ///< names of parameters, or literals
    std::vector<std::string_view> conditions; ///< "inplace=False", "dim!=None"
};

/// All of them, in their order.
const std::vector<ExactCallLine>& exactCallLines();

} // namespace sunder
