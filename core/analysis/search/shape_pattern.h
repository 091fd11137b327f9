#pragma once

#include "ir/tensor_meta.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pattern for shapes in a query. Brackets denote a whole shape: "[1, s27, 16]", "f32[1, *, 16]", "[*, ..., 16]", where
/// * matches any size and ... any number of sizes; "[]" is a scalar. Without brackets, the sizes must occur consecutively
///   anywhere: "16", "s27×16", "1x16".
class ShapePattern {
public:
    /// Refuses unbalanced brackets and empty sizes.
    static Result<ShapePattern> parse(std::string_view text);
    /// Returns whether a shape matches. Sizes are compared as text. O(sizes × pattern).
    [[nodiscard]] bool matches(const TensorMeta& tensor) const;

private:
    std::string m_dtype; ///< text before the bracket; empty for any
    std::vector<std::string> m_sizes;
    bool m_whole = false;
};

} // namespace sunder
