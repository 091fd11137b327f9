#pragma once

#include "ir/argument.h"

#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// Python's repr() of a float: the shortest digits that read back as the same value, "1e-05", "1e+16", "inf", "nan".
std::string pythonFloat(double value);

/// Python's repr() of a string: in single quotes unless it holds such and no double ones. Printable characters beyond
/// ASCII stay; what has no shape, and bytes that are no UTF-8, are escaped.
std::string pythonString(std::string_view text);

/// "torch.float16"; what PyTorch has no type, layout or memory format like is a text: "'float 16'".
std::string pythonTorchAttribute(std::string_view name);

/// How the parts of a value that Python code refers to are spelled.
struct PythonSpelling {
    std::function<std::string(NodeId)> node;
    std::function<std::string(InternedString)> callable; ///< from a qualified name; also for classes
    /// Values that stand in a file as what Python printed (symbolic sizes, objects that only repr() knows): as they are
    /// when there is no such function.
    std::function<std::string(std::string_view)> printed = {};
};

/// Python's repr() of a value: "[x, 1, 'mean', slice(None, 2, None), device(type='cpu')]".
std::string pythonRepr(const Argument& value, const PythonSpelling& spelling);

/// Python's str() of a value that is no list, tuple or dict: as pythonRepr() but for strings and devices.
std::string pythonStr(const Argument& value, const PythonSpelling& spelling);

/// True for an ASCII identifier of Python, keywords included (as str.isidentifier).
bool isPythonIdentifier(std::string_view text);

} // namespace sunder
