#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns "{} + {}" for "_operator.add", with a place for each argument. Empty if the target is not a Python operator or has too
/// few arguments. O(length of the target).
std::string_view operatorSyntax(std::string_view target, std::size_t argumentCount);

/// Returns the statement "{} += {}" for "_operator.iadd".
std::string_view inPlaceSyntax(std::string_view target, std::size_t argumentCount);

/// Returns the syntax with arguments filled in. There must be at least as many arguments as places.
std::string filledSyntax(std::string_view syntax, const std::vector<std::string>& arguments);

/// Whether torch.fx code can always use this type: "device".
bool isReservedPythonType(std::string_view name);

/// Whether a text is a valid type without spaces: names, "None", "...", lists in brackets, and "|". Evaluating it calls nothing.
/// O(length).
bool isPythonType(std::string_view text);

} // namespace sunder
