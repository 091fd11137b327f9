#include "ir/namespace.h"

#include <algorithm>
#include <iterator>

namespace sunder {
namespace {

/// Keywords and builtins of Python 3.11, and globals in torch.fx's generated code, sorted.
// clang-format off
constexpr std::string_view kReserved[] = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
    "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis",
    "EncodingWarning", "EnvironmentError", "Exception", "ExceptionGroup", "False", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
    "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None", "NoneType",
    "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError",
    "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
    "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError",
    "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError",
    "UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "__build_class__", "__debug__",
    "__doc__", "__import__", "__loader__", "__name__", "__package__", "__spec__", "abs", "aiter", "all", "and",
    "anext", "any", "as", "ascii", "assert", "async", "await", "bin", "bool", "break", "breakpoint", "bytearray",
    "bytes", "callable", "chr", "class", "classmethod", "compile", "complex", "continue", "copyright", "credits",
    "def", "del", "delattr", "device", "dict", "dir", "divmod", "elif", "else", "enumerate", "eval", "except", "exec",
    "exit", "filter", "finally", "float", "for", "format", "from", "frozenset", "fx_pytree", "getattr", "global",
    "globals", "hasattr", "hash", "help", "hex", "id", "if", "import", "in", "inf", "input", "int", "is",
    "isinstance", "issubclass", "iter", "lambda", "len", "license", "list", "locals", "map", "max", "memoryview",
    "min", "nan", "next", "nonlocal", "not", "object", "oct", "open", "or", "ord", "pass", "pow", "print", "property",
    "pytree", "quit", "raise", "range", "repr", "return", "reversed", "round", "set", "setattr", "slice", "sorted",
    "staticmethod", "str", "sum", "super", "torch", "try", "tuple", "type", "vars", "while", "with", "yield", "zip"};
// clang-format on

} // namespace

bool isReservedName(std::string_view name)
{
    return std::binary_search(std::begin(kReserved), std::end(kReserved), name);
}

} // namespace sunder
