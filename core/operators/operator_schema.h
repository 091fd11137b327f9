#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// One argument or result of an operator as its schema describes it.
// clang-format off
struct SchemaArgument {
    InternedString name;         ///< empty for most results
    InternedString type;         ///< without its alias annotation: "Tensor", "Tensor[]", "SymInt[2]?"
    InternedString defaultValue; ///< as the schema writes it: "None", "0.5", "[1, 1]"; empty when there is none
    std::vector<InternedString> memory; ///< alias sets that it lies in, "a" of Tensor(a!); "*" may be any
    bool written = false;        ///< Tensor(a!)
    bool hasDefault = false;
    bool keywordOnly = false;
    bool takesRest = false;      ///< "*operands" of a Python function

    [[nodiscard]] bool isList() const;
};

/// Tags of PyTorch that say what a call does.
enum class OperatorTag : std::uint8_t { nondeterministicSeeded, inplaceView, dataDependentOutput, dynamicOutputShape, mayAliasOrMutate };
// clang-format on

/// An operator as PyTorch or somebody's torch.library registered it.
struct OperatorSchema {
    InternedString packet;   ///< "aten::add_"
    InternedString overload; ///< "Tensor"; empty for the default one
    std::vector<SchemaArgument> arguments;
    std::vector<SchemaArgument> results;
    bool takesMore = false;  ///< "..." among the arguments
    bool returnsMore = false;
    std::uint8_t tags = 0;   ///< bit i: OperatorTag i

    [[nodiscard]] bool has(OperatorTag tag) const { return (tags >> static_cast<unsigned>(tag) & 1U) != 0; }
    /// The place of the argument of this name; nothing when there is none.
    [[nodiscard]] std::optional<std::size_t> find(InternedString name) const;
    /// How many arguments can be given by position where only those may that the schema says so of.
    [[nodiscard]] std::size_t positionalCount() const;
};

/// "SymInt[2]" taken apart; `length` is nothing for a list of any length.
struct ListType {
    std::string_view item;
    std::optional<std::int64_t> length;

    /// Whether one item stands for a list of `length` of them. Bounded.
    [[nodiscard]] bool repeats() const { return length && *length > 0 && *length <= 16; }
};

/// Nothing for a type that is no list.
std::optional<ListType> listType(std::string_view type);

/// Reads "my::op.overload(Tensor x, Tensor(a!) y, *, int k=1) -> (Tensor, Tensor(a!))", then, behind a tab, tags
/// separated by commas. Says what is wrong and at which character (ErrorCode::malformed). Bounded: a line of at most
/// 64 kB, types and defaults nested at most 16 deep. O(length).
Result<OperatorSchema> parseSchema(std::string_view line);

} // namespace sunder
