#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// "{} + {}" for "_operator.add": a place for each of its arguments. Empty for what is no operator of Python, or is given
/// fewer arguments than it takes. O(length of the target).
std::string_view operatorSyntax(std::string_view target, std::size_t argumentCount);

/// "{} += {}" for "_operator.iadd": a statement.
std::string_view inPlaceSyntax(std::string_view target, std::size_t argumentCount);

/// The syntax with arguments in its places, of which there are no fewer.
std::string filledSyntax(std::string_view syntax, const std::vector<std::string>& arguments);

/// Names of types that code of torch.fx may always use: "device".
bool isReservedPythonType(std::string_view name);

/// A type without spaces: names, "None", "...", lists in brackets and "|", where each may stand. Evaluating it calls
/// nothing. O(length).
bool isPythonType(std::string_view text);

} // namespace sunder
