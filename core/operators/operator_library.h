#pragma once

#include "operators/operator_schema.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

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
