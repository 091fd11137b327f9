#pragma once

#include "operators/operator_schema.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Schemas of operators that PyTorch does not have, as a person gives them. A value that nobody changes: programs share it.
class OperatorLibrary {
public:
    /// A line a schema, as torch.library registers it; "#" begins a comment. Refuses with line and reason what is
    /// malformed, stands twice with different schemas, or contradicts an operator of PyTorch (ErrorCode::malformed).
    /// `file` names the text in messages. O(length).
    static Result<std::shared_ptr<const OperatorLibrary>> parse(std::string_view text, const std::string& file);

    /// All overloads of "my::scale", in the order of the text. O(schemas).
    [[nodiscard]] std::vector<const OperatorSchema*> overloads(std::string_view packet) const;
    [[nodiscard]] std::size_t size() const { return m_schemas.size(); }

private:
    std::vector<OperatorSchema> m_schemas; ///< sorted by packet and overload, as texts
};

} // namespace sunder
