#pragma once

#include <string_view>

namespace sunder {

/// True for what Python takes as a name, where it is to bind or read one: an ASCII identifier that is no keyword.
bool isPythonName(std::string_view text);

/// Names with dots between them: "torch.ops.aten.add.Tensor". At most 200, as Python's parser recurses along them.
bool isDottedPythonName(std::string_view text);

/// A function or class of Python itself that graphs call and that reaches nothing but its arguments: "getattr", "len".
bool isPlainBuiltin(std::string_view name);

/// True when calling what a dotted name stands for may run a text as code, load a file or a library, or reach the system:
/// "os.system", "torch.hub.load", "torch.os.system". Names that no graph of PyTorch calls; printed code does not call them.
bool reachesBeyondGraphs(std::string_view qualified);

/// True when an attribute of this path leads from a value to the interpreter behind it: "__self__", "__class__.__mro__".
bool leadsToInterpreter(std::string_view path);

/// True when what an attribute or method of this name gives may be more than a value that a graph computes, whatever it is
/// read from: parts of the interpreter, modules such as "os", what loads or runs files ("load", "hub").
bool leadsBeyondValues(std::string_view name);

/// True for callables that read attributes by names which are worked out: "getattr", "_operator.attrgetter".
bool readsAnyAttribute(std::string_view qualified);

/// True for what PyTorch calls its types, layouts and memory formats, and for no module or function of it: "float32".
bool isTorchConstant(std::string_view name);

/// A text that Python reads as an expression of names, numbers, operators, brackets and the functions that PyTorch's
/// symbolic sizes are made of; evaluating it calls nothing else.
bool isHarmlessExpression(std::string_view text);

} // namespace sunder
