#pragma once

#include "ir/tensor_meta.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// What a query says of a shape. In brackets it is the whole shape: "[1, s27, 16]", "f32[1, *, 16]", "[*, ..., 16]", with
/// * for any size and ... for any number of them; "[]" is a scalar. Without brackets these sizes stand side by side
/// somewhere: "16", "s27×16", "1x16".
class ShapePattern {
public:
    /// Refuses brackets without partner and empty places.
    static Result<ShapePattern> parse(std::string_view text);
    /// Sizes are compared as they are written. O(sizes × pattern).
    [[nodiscard]] bool matches(const TensorMeta& tensor) const;

private:
    std::string m_dtype; ///< before the bracket; empty for any
    std::vector<std::string> m_sizes;
    bool m_whole = false;
};

} // namespace sunder
