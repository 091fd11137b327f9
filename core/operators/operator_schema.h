#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// One argument or result of an operator, as described by its schema.
// clang-format off
struct SchemaArgument {
    InternedString name;         ///< empty for most results
    InternedString type;         ///< without its alias annotation: "Tensor", "Tensor[]", "SymInt[2]?"
    InternedString defaultValue; ///< as in the schema: "None", "0.5", "[1, 1]"; empty if there is none
    std::vector<InternedString> memory; ///< its alias sets, "a" of Tensor(a!); "*" means any
    bool written = false;        ///< Tensor(a!)
    bool hasDefault = false;
    bool keywordOnly = false;
    bool takesRest = false;      ///< "*operands" of a Python function

    [[nodiscard]] bool isList() const;
};

/// PyTorch tags that describe a call.
enum class OperatorTag : std::uint8_t {
    nondeterministicSeeded, inplaceView, dataDependentOutput, dynamicOutputShape, mayAliasOrMutate, pointwise
};
// clang-format on

/// An operator as registered by PyTorch or by torch.library.
struct OperatorSchema {
    InternedString packet;   ///< "aten::add_"
    InternedString overload; ///< "Tensor"; empty for the default one
    std::vector<SchemaArgument> arguments;
    std::vector<SchemaArgument> results;
    bool takesMore = false;  ///< "..." among the arguments
    bool returnsMore = false;
    std::uint8_t tags = 0;   ///< bit i: OperatorTag i

    [[nodiscard]] bool has(OperatorTag tag) const { return (tags >> static_cast<unsigned>(tag) & 1U) != 0; }
    /// Returns the index of the argument with this name; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> find(InternedString name) const;
    /// Returns the number of leading arguments that are not keyword-only.
    [[nodiscard]] std::size_t positionalCount() const;
};

/// A parsed list type such as "SymInt[2]"; `length` is empty for lists of any length.
struct ListType {
    std::string_view item;
    std::optional<std::int64_t> length;

    /// Whether a single item may be given for a list of `length` such items. Bounded.
    [[nodiscard]] bool repeats() const { return length && *length > 0 && *length <= 16; }
};

/// Returns nothing for a type that is not a list.
std::optional<ListType> listType(std::string_view type);

/// Parses "my::op.overload(Tensor x, Tensor(a!) y, *, int k=1) -> (Tensor, Tensor(a!))", optionally followed by a tab and
/// comma-separated tags. Errors state the problem and the position (ErrorCode::malformed). Lines are limited to 64 kB, and the
/// nesting of types and defaults to a depth of 16. O(length).
Result<OperatorSchema> parseSchema(std::string_view line);

} // namespace sunder
