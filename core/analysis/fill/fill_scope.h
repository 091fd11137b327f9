#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sunder {

/// The selection rule of a fill, relative to the picked nodes.
enum class FillScope : std::uint8_t {
    module,       ///< the module that contains the pick
    moduleClass,  ///< all modules of its class
    sameOperator, ///< ops that call the same operator
    sameShape,    ///< ops whose values have the same shape
    needed,       ///< the pick and all its dependencies
    needing,      ///< the pick and everything that depends on it
    between,      ///< two picks, and everything on the paths between them
    occurrences,  ///< all occurrences of the repeated region that contains the pick
    connected,    ///< ops connected to the pick with the same tag, or untagged like it
    alike,        ///< the magic wand: similar ops connected to the pick
};

/// The names of a scope.
struct FillScopeWords {
    FillScope scope;
    std::string_view id;    ///< on a command line: "needed"
    std::string_view title; ///< on a button: "Upstream"
    std::string_view tip;   ///< a sentence
};

/// All scopes in display order; the one of the magic wand is last.
inline constexpr std::array kFillScopes{
    FillScopeWords{FillScope::module, "module", "Module", "Ops in its module; wider: the enclosing module"},
    FillScopeWords{FillScope::moduleClass, "class", "Class",
                   "All modules of its class; wider: of the class of the enclosing module"},
    FillScopeWords{FillScope::sameOperator, "operator", "Operator", "All ops that call the same operator"},
    FillScopeWords{FillScope::sameShape, "shape", "Shape", "All ops with a result of the same shape"},
    FillScopeWords{FillScope::needed, "needed", "Upstream", "It and everything that it depends on, back to the inputs"},
    FillScopeWords{FillScope::needing, "needing", "Downstream", "It and everything that depends on it, up to the outputs"},
    FillScopeWords{FillScope::between, "between", "Between two",
                   "Two picks and everything on the paths between them; the first click makes the first pick"},
    FillScopeWords{FillScope::occurrences, "occurrences", "Occurrences",
                   "All occurrences of the repeated region that contains it"},
    FillScopeWords{FillScope::connected, "connected", "Same tag",
                   "Connected ops with the same tag, or untagged if it is untagged"},
    FillScopeWords{FillScope::alike, "alike", "Similar",
                   "Connected ops that call the same operator; wider: connected ops in modules of the same class"},
};

/// Returns the scope with this id; nothing for any other text.
constexpr std::optional<FillScope> fillScopeOf(std::string_view id)
{
    for (const FillScopeWords& words : kFillScopes)
        if (words.id == id)
            return words.scope;
    return std::nullopt;
}

} // namespace sunder
