#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// The parts of a target: "torch.ops.aten.add.Tensor" has library "torch.ops.aten", name "add", and overload "Tensor";
/// "torch.nn.functional.relu" has library "torch.nn.functional" and name "relu".
struct OperatorName {
    std::string_view library;
    std::string_view name;
    std::string_view overload;
};

OperatorName operatorName(std::string_view target);

/// Whether a target is a registered operator, "torch.ops.NAMESPACE.NAME" with or without an overload, but not a higher-order
/// operator.
bool isRegisteredOperator(const OperatorName& name);
bool isRegisteredOperator(std::string_view target);

/// Whether a target is an operator that takes graphs or functions: "torch.ops.higher_order.cond".
bool isHigherOrderTarget(std::string_view target);

/// Whether `torch.export` treats the target as an operation on symbols: it takes all inputs positionally and is named after its
/// result.
bool isSymbolicTarget(std::string_view target);

/// Returns the schema name of a torch.ops target: "aten::add" for "torch.ops.aten.add.Tensor".
std::string packetName(const OperatorName& name);

} // namespace sunder
