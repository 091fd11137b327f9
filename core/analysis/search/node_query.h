#pragma once

#include "analysis/search/shape_pattern.h"
#include "analysis/search/text_pattern.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// What a word of a query is about.
enum class QueryField : std::uint8_t { any, name, op, cls, module, tag, shape, dtype, bytes, weights };

/// As people write it, without the colon: "class". Empty for any.
std::string_view name(QueryField field);
/// All that have a name, in the order in which they are offered.
inline constexpr std::array kQueryFields = {QueryField::op,    QueryField::cls,   QueryField::module,
                                            QueryField::tag,   QueryField::name,  QueryField::shape,
                                            QueryField::dtype, QueryField::bytes, QueryField::weights};

/// Nodes that a person means. Words between spaces must all hold; "a|b" is either, "-word" is not.
///
///   op:mul          the operator, as a node shows it or as torch writes it: mul, mul.Tensor, call_function; mul* begins so
///   class:Linear    in a module of this class
///   module:layers.3 in this module: layers.3 and what is in it, not layers.30
///   tag:stage0      with this tag; tag:none without
///   name:add        its name contains this
///   shape:[1, s27]  see ShapePattern; dtype:f16
///   bytes>1MB       of its output; weights>=4MiB of the weights that it is the first to read; also < <= =
///   "two words"     as it stands; /a.+b/ a regular expression
///   relu            name, operator, class or module contains this; f32[1, 16] is a shape
struct NodeQuery {
    enum class Comparison : std::uint8_t { equal, less, lessOrEqual, greater, greaterOrEqual };
    struct Term {
        QueryField field = QueryField::any;
        std::string written = {};  ///< its value, as it was written
        TextPattern text = {};
        ShapePattern shape = {};
        Comparison comparison = Comparison::equal;
        std::uint64_t bytes = 0;
    };
    /// One of its terms holds; or none, where it is `negated`.
    struct Clause {
        std::vector<Term> terms;
        bool negated = false;
        std::string written = {}; ///< as it stands in the query
    };
    std::vector<Clause> clauses; ///< all hold

    [[nodiscard]] bool empty() const { return clauses.empty(); }
};

/// Refuses, with a sentence that says what to write instead: unknown fields, fields without a value, bytes that are none,
/// quotes and brackets without partner, expressions that are none.
Result<NodeQuery> parseQuery(std::string_view text);

} // namespace sunder
