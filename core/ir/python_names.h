#pragma once

#include <string_view>

namespace sunder {

/// Whether Python accepts a text as a variable name: an ASCII identifier that is not a keyword.
bool isPythonName(std::string_view text);

/// Whether a text is a dotted name: "torch.ops.aten.add.Tensor". At most 200 components, because Python's parser recurses.
bool isDottedPythonName(std::string_view text);

/// Whether a name is a built-in function or class that graphs may call and that only accesses its arguments: "getattr", "len".
bool isPlainBuiltin(std::string_view name);

/// Whether a call of a dotted name may run a text as code, load a file or a library, or access the system: "os.system",
/// "torch.hub.load", "torch.os.system". PyTorch graphs do not call such names, and printed code never does.
bool reachesBeyondGraphs(std::string_view qualified);

/// Whether an attribute of this path leads from a value to the interpreter: "__self__", "__class__.__mro__".
bool leadsToInterpreter(std::string_view path);

/// Whether an attribute or method of this name may return more than a value that a graph computes, on any object: parts of the
/// interpreter, modules such as "os", or functions that load or run files ("load", "hub").
bool leadsBeyondValues(std::string_view name);

/// Whether a callable reads attributes by computed names: "getattr", "_operator.attrgetter".
bool readsAnyAttribute(std::string_view qualified);

/// Whether a name is that of a PyTorch dtype, layout, or memory format, and not of a module or function: "float32".
bool isTorchConstant(std::string_view name);

/// Whether Python parses a text as an expression of names, numbers, operators, brackets, and the functions in PyTorch's symbolic
/// sizes. Evaluating it calls nothing else.
bool isHarmlessExpression(std::string_view text);

} // namespace sunder
