#pragma once

#include "operators/operator_schema.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// User-provided schemas of operators that PyTorch does not have. Immutable and shared by programs.
class OperatorLibrary {
public:
    /// Parses one schema per line, in the notation of torch.library; "#" begins a comment. Fails with line and reason for a
    /// schema that is malformed, occurs twice with differences, or contradicts an operator of PyTorch (ErrorCode::malformed).
    /// `file` names the text in messages. O(length).
    static Result<std::shared_ptr<const OperatorLibrary>> parse(std::string_view text, const std::string& file);

    /// Returns all overloads of a packet such as "my::scale", in the order of the text. O(schemas).
    [[nodiscard]] std::vector<const OperatorSchema*> overloads(std::string_view packet) const;
    [[nodiscard]] std::size_t size() const { return m_schemas.size(); }

private:
    std::vector<OperatorSchema> m_schemas; ///< sorted by packet and overload name
};

} // namespace sunder
