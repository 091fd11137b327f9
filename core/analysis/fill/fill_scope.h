#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sunder {

/// What a fill takes, told from what a person points at, the pick.
enum class FillScope : std::uint8_t {
    module,       ///< the module that the pick runs in
    moduleClass,  ///< all modules of that one's class
    sameOperator, ///< ops that call the same
    sameShape,    ///< ops that give values of the same shape
    needed,       ///< the pick and everything that it needs
    needing,      ///< the pick and everything that needs it
    between,      ///< the pick, another pick, and what lies on the ways between them
    occurrences,  ///< all occurrences of the repeated region that the pick lies in
    connected,    ///< what hangs together with the pick and has its tag, or none as it has none
    alike,        ///< the wand: what hangs together with the pick and is like it
};

/// A scope in words.
struct FillScopeWords {
    FillScope scope;
    std::string_view id;    ///< on a command line: "needed"
    std::string_view title; ///< on a button: "All it needs"
    std::string_view tip;   ///< a sentence
};

/// All of them, in the order in which they are offered; the one of the wand last.
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

/// The scope of that id; nothing for another word.
constexpr std::optional<FillScope> fillScopeOf(std::string_view id)
{
    for (const FillScopeWords& words : kFillScopes)
        if (words.id == id)
            return words.scope;
    return std::nullopt;
}

} // namespace sunder
