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
    std::string_view title; ///< on a button: "All it needs"
    std::string_view tip;   ///< a sentence
};

/// All scopes in display order; the one of the magic wand is last.
inline constexpr std::array kFillScopes{
    FillScopeWords{FillScope::module, "module", "Module", "The module that it runs in; wider: the module around that"},
    FillScopeWords{FillScope::moduleClass, "class", "Class", "All modules of the same class; wider: of the module around"},
    FillScopeWords{FillScope::sameOperator, "operator", "Operator", "All ops that call the same operator"},
    FillScopeWords{FillScope::sameShape, "shape", "Shape", "All ops that give a value of the same shape"},
    FillScopeWords{FillScope::needed, "needed", "All it needs", "It and everything that it needs, from the inputs on"},
    FillScopeWords{FillScope::needing, "needing", "All that needs it", "It and everything that needs it, as far as the outputs"},
    FillScopeWords{FillScope::between, "between", "Between two",
                   "Two picks and everything on the ways from one to the other; the first click picks the first"},
    FillScopeWords{FillScope::occurrences, "occurrences", "Occurrences",
                   "All occurrences of the repeated region that it lies in"},
    FillScopeWords{FillScope::connected, "connected", "Same tag", "What hangs together with it and has the same tag, or none"},
    FillScopeWords{FillScope::alike, "alike", "Alike",
                   "What hangs together with it and calls the same; wider: what runs in modules of the same class"},
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
