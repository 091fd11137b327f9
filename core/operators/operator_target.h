#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// A target taken apart: "torch.ops.aten.add.Tensor" is library "torch.ops.aten", name "add", overload "Tensor";
/// "torch.nn.functional.relu" is library "torch.nn.functional", name "relu".
struct OperatorName {
    std::string_view library;
    std::string_view name;
    std::string_view overload;
};

OperatorName operatorName(std::string_view target);

/// Whether a target is a registered operator, "torch.ops.NAMESPACE.NAME" with or without an overload, and no
/// higher-order one.
bool isRegisteredOperator(const OperatorName& name);
bool isRegisteredOperator(std::string_view target);

/// Whether a target is an operator that takes graphs or functions: "torch.ops.higher_order.cond".
bool isHigherOrderTarget(std::string_view target);

/// True for what `torch.export` treats as an operation on symbols: the target takes all its inputs positionally and
/// is named after its result.
bool isSymbolicTarget(std::string_view target);

/// How schemas call what a target of torch.ops names: "aten::add" for "torch.ops.aten.add.Tensor".
std::string packetName(const OperatorName& name);

} // namespace sunder
