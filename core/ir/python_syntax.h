#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// "a + b" for "_operator.add" of "a" and "b"; nothing for what is no operator of Python or has too few arguments.
std::optional<std::string> operatorSyntax(std::string_view target, const std::vector<std::string>& arguments);

/// "a += b" for "_operator.iadd": a statement.
std::optional<std::string> inPlaceSyntax(std::string_view target, const std::vector<std::string>& arguments);

/// Names of types that code of torch.fx may always use: "device".
bool isReservedPythonType(std::string_view name);

/// A type without spaces: names, "None", "...", lists in brackets and "|", where each may stand. Evaluating it calls
/// nothing. O(length).
bool isPythonType(std::string_view text);

} // namespace sunder
