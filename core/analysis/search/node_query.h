#pragma once

#include "analysis/search/text_pattern.h"
#include "ir/tensor_meta.h"
#include "support/result.h"

#include <array>
#include <cstdint>
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

/// The subject of a word in a query.
enum class QueryField : std::uint8_t { any, name, op, cls, module, tag, shape, dtype, bytes, weights };

/// Returns the field as written in a query, without the colon: "class". Empty for any.
std::string_view name(QueryField field);
/// All fields with a name, in display order.
inline constexpr std::array kQueryFields = {QueryField::op,    QueryField::cls,   QueryField::module,
                                            QueryField::tag,   QueryField::name,  QueryField::shape,
                                            QueryField::dtype, QueryField::bytes, QueryField::weights};

/// A search query for nodes. Words separated by spaces must all match; "a|b" matches either, and "-word" excludes.
///
///   op:mul          the operator, as displayed or as written by torch: mul, mul.Tensor, call_function; mul* is a prefix
///   class:Linear    in a module of this class
///   module:layers.3 in this module: layers.3 and its contents, not layers.30
///   tag:stage0      with this tag; tag:none without a tag
///   name:add        the name contains this text
///   shape:[1, s27]  see ShapePattern; dtype:f16
///   bytes>1MB       of its output; weights>=4MiB of the weights that it is the first to read; also < <= =
///   "two words"     literal text; /a.+b/ a regular expression
///   relu            name, operator, class or module contains this; f32[1, 16] is a shape
struct NodeQuery {
    enum class Comparison : std::uint8_t { equal, less, lessOrEqual, greater, greaterOrEqual };
    struct Term {
        QueryField field = QueryField::any;
        std::string written = {};  ///< the value as written
        TextPattern text = {};
        ShapePattern shape = {};
        Comparison comparison = Comparison::equal;
        std::uint64_t bytes = 0;
    };
    /// Matches if one of the terms matches; if `negated`, if none does.
    struct Clause {
        std::vector<Term> terms;
        bool negated = false;
        std::string written = {}; ///< as written in the query
    };
    std::vector<Clause> clauses; ///< all must match

    [[nodiscard]] bool empty() const { return clauses.empty(); }
};

/// Parses a query. Refuses, with a suggestion in a sentence: unknown fields, fields without a value, invalid sizes, unbalanced
/// quotes and brackets, and invalid regular expressions.
Result<NodeQuery> parseQuery(std::string_view text);

} // namespace sunder
