#pragma once

#include "ir/argument.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Formats a float like Python's repr(): the shortest digits that read back as the same value, "1e-05", "1e+16", "inf", "nan".
std::string pythonFloat(double value);

/// Formats a string like Python's repr(): in single quotes, unless it contains single and no double quotes. Keeps printable
/// non-ASCII characters, and escapes nonprintable characters and invalid UTF-8.
std::string pythonString(std::string_view text);

/// Returns "torch.float16". A name that is not a PyTorch dtype, layout, or memory format is quoted: "'float 16'".
std::string pythonTorchAttribute(std::string_view name);

/// Spelling of the references in a value in Python code.
struct PythonSpelling {
    std::function<std::string(NodeId)> node;
    std::function<std::string(InternedString)> callable; ///< from a qualified name; also for classes
    /// Formats values that the file stores as Python output (symbolic sizes, objects known only by repr()); unchanged if there is
    /// no function.
    std::function<std::string(std::string_view)> printed = {};
};

/// Formats a value like Python's repr(): "[x, 1, 'mean', slice(None, 2, None), device(type='cpu')]".
std::string pythonRepr(const Argument& value, const PythonSpelling& spelling);

/// Formats a value other than a list, tuple, or dict like Python's str(): as pythonRepr(), except for strings and devices.
std::string pythonStr(const Argument& value, const PythonSpelling& spelling);

/// Whether a text is an ASCII identifier of Python, including keywords (as str.isidentifier).
bool isPythonIdentifier(std::string_view text);

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
