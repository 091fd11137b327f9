#include "ir/python_names.h"

#include "ir/namespace.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sunder {
namespace {

using Names = std::string_view;

template <std::size_t N>
bool contains(const Names (&sorted)[N], std::string_view name)
{
    return std::binary_search(std::begin(sorted), std::end(sorted), name);
}

/// Sorted. Includes `__debug__`, which can be neither bound nor used as a keyword argument.
constexpr Names kKeywords[] = {"False", "None",  "True",     "__debug__", "and",    "as",   "assert", "async",  "await",
                               "break", "class", "continue", "def",       "del",    "elif", "else",   "except", "finally",
                               "for",   "from",  "global",   "if",        "import", "in",   "is",     "lambda", "nonlocal",
                               "not",   "or",    "pass",     "raise",     "return", "try",  "while",  "with",   "yield"};

constexpr Names kPlainBuiltins[] = {"Ellipsis",   "NotImplemented", "abs",     "all",     "any",       "bool",   "bytes",
                                    "callable",   "complex",        "dict",    "divmod",  "enumerate", "filter", "float",
                                    "frozenset",  "getattr",        "hasattr", "hash",    "id",        "int",    "isinstance",
                                    "issubclass", "iter",           "len",     "list",    "map",       "max",    "min",
                                    "next",       "object",         "pow",     "print",   "property",  "range",  "repr",
                                    "reversed",   "round",          "set",     "setattr", "slice",     "sorted", "str",
                                    "sum",        "super",          "tuple",   "type",    "zip"};

/// Modules of the Python library that run or load code, or access files, processes, the network, or the interpreter, and modules
/// whose import has side effects.
// clang-format off
constexpr Names kModules[] = {
    "_ctypes", "_io", "_pickle", "_posixsubprocess", "_socket", "_thread", "antigravity", "ast", "asyncio", "atexit",
    "bdb", "builtins", "cProfile", "code", "codeop", "concurrent", "ctypes", "dbm", "dis", "distutils", "doctest",
    "ensurepip", "faulthandler", "fcntl", "ftplib", "gc", "glob", "http", "idlelib", "imaplib", "imp", "importlib",
    "inspect", "io", "linecache", "marshal", "mmap", "multiprocessing", "nt", "ntpath", "os", "pathlib", "pdb",
    "pickle", "pickletools", "pip", "pkg_resources", "pkgutil", "platform", "poplib", "posix", "posixpath", "pty",
    "pydoc", "resource", "runpy", "sched", "setuptools", "shelve", "shutil", "site", "smtplib", "socket",
    "socketserver", "sqlite3", "ssl", "subprocess", "sys", "sysconfig", "tarfile", "telnetlib", "tempfile", "this",
    "threading", "timeit", "tkinter", "traceback", "tracemalloc", "urllib", "venv", "webbrowser", "xmlrpc",
    "zipfile", "zipimport"};
// clang-format on

/// PyTorch functions that access files, packages, compilers, or other programs.
// clang-format off
constexpr std::array<std::string_view, 19> kTorchDoors = {
    "torch.load", "torch.save", "torch.hub", "torch.jit.load", "torch.jit.save", "torch.package", "torch.serialization",
    "torch.classes", "torch.ops.load_library", "torch.ops.import_module", "torch.utils.cpp_extension",
    "torch.utils.cpp_backtrace", "torch.utils.model_zoo", "torch.utils.file_baton", "torch.utils.collect_env",
    "torch.utils.show_pickle", "torch.distributed.elastic", "torch.distributed.run", "torch.export.load"};
// clang-format on

/// Attributes that lead from an object to the interpreter.
constexpr Names kInnards[] = {"__bases__", "__builtins__", "__class__",        "__closure__", "__code__",
                              "__dict__",  "__func__",     "__getattribute__", "__globals__", "__import__",
                              "__init__",  "__loader__",   "__mro__",          "__reduce__",  "__reduce_ex__",
                              "__self__",  "__spec__",     "__subclasses__",   "__wrapped__"};

/// Functions that run a text or a program, in any module.
constexpr Names kRunners[] = {"__call__", "breakpoint", "compile", "eval_frame", "exec", "popen", "system"};

/// Functions that could read "__class__", given as a concatenation of two texts.
constexpr Names kAttributeReaders[] = {"_operator.attrgetter", "_operator.methodcaller", "builtins.delattr",
                                       "builtins.getattr",     "builtins.setattr",       "getattr",
                                       "operator.attrgetter",  "operator.methodcaller",  "setattr"};

constexpr Names kTorchConstants[] = {
    "_mkldnn", "bool", "channels_last", "channels_last_3d", "contiguous_format", "double", "half",
    "jagged",  "long", "short",         "strided"};

/// Functions in expressions of symbolic sizes, conditions, and bounds.
// clang-format off
constexpr Names kSymbolicFunctions[] = {
    "Abs", "And", "BitwiseFn_bitwise_and", "BitwiseFn_bitwise_or", "BitwiseFn_bitwise_xor", "CeilDiv", "CeilToInt",
    "CleanDiv", "Eq", "Float", "FloatPow", "FloatTrueDiv", "FloorDiv", "FloorToInt", "Ge", "Gt", "Identity", "IntTrueDiv",
    "Integer", "IsNonOverlappingAndDenseIndicator", "LShift", "Le", "Lt", "Max", "Min", "Mod", "ModularIndexing", "Ne",
    "Not", "OpaqueUnaryFn_acos", "OpaqueUnaryFn_asin", "OpaqueUnaryFn_asinh", "OpaqueUnaryFn_atan", "OpaqueUnaryFn_cos",
    "OpaqueUnaryFn_cosh", "OpaqueUnaryFn_exp", "OpaqueUnaryFn_log", "OpaqueUnaryFn_log2", "OpaqueUnaryFn_sin",
    "OpaqueUnaryFn_sinh", "OpaqueUnaryFn_sqrt", "OpaqueUnaryFn_tan", "OpaqueUnaryFn_tanh", "Or", "Piecewise", "Pow",
    "PowByNatural", "PythonMod", "RShift", "Rational", "RoundDecimal", "RoundToInt", "ToFloat", "TruncToFloat", "TruncToInt",
    "Where", "ceiling", "cos", "exp", "floor", "log", "sin", "sqrt", "tanh"};
// clang-format on

/// Validates an expression without building a tree.
class ExpressionReader {
public:
    explicit ExpressionReader(std::string_view text) : m_text(text) {}

    bool readAll() { return expression(0) && (skipSpaces(), m_at == m_text.size()); }

private:
    static constexpr int kDeepest = 40;
    static constexpr int kMaxPieces = 400; ///< Python's own parser recurses

    void skipSpaces()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    [[nodiscard]] char next() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool take(std::string_view token)
    {
        skipSpaces();
        if (!m_text.substr(m_at).starts_with(token))
            return false;
        m_at += token.size();
        return true;
    }

    bool expression(int depth)
    {
        if (depth > kDeepest)
            return false;
        do {
            if (++m_pieces > kMaxPieces)
                return false;
            while (take("-") || take("+") || take("~"))
                if (++m_pieces > kMaxPieces)
                    return false;
            if (!primary(depth))
                return false;
        } while (operation());
        return true;
    }

    bool operation()
    {
        static constexpr std::array<std::string_view, 16> kOperators = {"**", "//", "<=", ">=", "==", "!=", "<<", ">>",
                                                                        "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&"};
        return std::any_of(kOperators.begin(), kOperators.end(), [&](std::string_view o) { return take(o); }) || take("|")
            || take("^");
    }

    bool primary(int depth)
    {
        skipSpaces();
        if (take("("))
            return items(")", depth);
        if (take("["))
            return items("]", depth);
        if (isAsciiDigit(next()))
            return number();
        const std::size_t start = m_at;
        while (isAsciiLetter(next()) || isAsciiDigit(next()) || next() == '.')
            ++m_at;
        const std::string_view name = m_text.substr(start, m_at - start);
        if (name != "None" && name != "True" && name != "False" && !isDottedPythonName(name))
            return false;
        if (next() != '(')
            return isSymbol(name);
        ++m_at;
        return contains(kSymbolicFunctions, name) && items(")", depth);
    }

    /// Whether a name has no meaning in Python.
    static bool isSymbol(std::string_view name)
    {
        const std::string_view root = name.substr(0, name.find('.'));
        if (root == "torch")
            return root.size() < name.size() && isTorchConstant(name.substr(root.size() + 1));
        const bool isKnown = root == "inf" || root == "nan" || root == "None" || root == "True" || root == "False";
        return root.size() == name.size() && (isKnown || !isReservedName(root)) && !reachesBeyondGraphs(name);
    }

    bool items(std::string_view end, int depth)
    {
        while (!take(end)) {
            if (!expression(depth + 1))
                return false;
            if (!take(","))
                return take(end);
        }
        return true;
    }

    void digits()
    {
        while (isAsciiDigit(next()))
            ++m_at;
    }

    bool number()
    {
        const std::size_t start = m_at;
        digits();
        if (m_text[start] == '0' && m_at - start > 1)
            return false;
        if (next() == '.')
            ++m_at, digits();
        if (next() == 'e' || next() == 'E') {
            ++m_at;
            if (next() == '+' || next() == '-')
                ++m_at;
            if (!isAsciiDigit(next()))
                return false;
            digits();
        }
        return !isAsciiLetter(next()) && next() != '.';
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_pieces = 0;
};

} // namespace

bool isPythonName(std::string_view text)
{
    return !text.empty() && isAsciiLetter(text.front())
        && std::all_of(text.begin(), text.end(), [](char c) { return isAsciiLetter(c) || isAsciiDigit(c); })
        && !contains(kKeywords, text);
}

bool isDottedPythonName(std::string_view text)
{
    constexpr int kMaxNames = 200;
    for (int names = 0; names < kMaxNames; ++names) {
        const std::size_t dot = text.find('.');
        if (!isPythonName(text.substr(0, dot)))
            return false;
        if (dot == std::string_view::npos)
            return true;
        text.remove_prefix(dot + 1);
    }
    return false;
}

bool isPlainBuiltin(std::string_view name)
{
    return contains(kPlainBuiltins, name);
}

bool leadsToInterpreter(std::string_view path)
{
    while (!path.empty()) {
        const std::size_t dot = path.find('.');
        if (contains(kInnards, path.substr(0, dot)))
            return true;
        path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    return false;
}

bool reachesBeyondGraphs(std::string_view qualified)
{
    for (const std::string_view door : kTorchDoors)
        if (qualified == door || (qualified.starts_with(door) && qualified[door.size()] == '.'))
            return true;
    constexpr std::string_view kBuiltins = "builtins.";
    if (qualified.starts_with(kBuiltins))
        return !isPlainBuiltin(qualified.substr(kBuiltins.size()));
    // Names below `torch` may refer to modules that PyTorch imports. Other packages are imported from, so only their first component
    // can be a module of the Python library. Operators may have any name.
    const bool isOperator = qualified.starts_with("torch.ops.");
    const bool isTorch = qualified.starts_with("torch.");
    bool mayBeModule = !isOperator;
    while (!qualified.empty()) {
        const std::size_t dot = qualified.find('.');
        const std::string_view part = qualified.substr(0, dot);
        if (contains(kInnards, part) || (mayBeModule && contains(kModules, part)))
            return true;
        mayBeModule = mayBeModule && isTorch;
        qualified.remove_prefix(dot == std::string_view::npos ? qualified.size() : dot + 1);
    }
    return false;
}

bool leadsBeyondValues(std::string_view name)
{
    const auto isDoor = [&](std::string_view door) { return door.substr(door.rfind('.') + 1) == name; };
    return contains(kInnards, name) || contains(kModules, name) || contains(kRunners, name)
        || std::any_of(kTorchDoors.begin(), kTorchDoors.end(), isDoor);
}

bool readsAnyAttribute(std::string_view qualified)
{
    return contains(kAttributeReaders, qualified);
}

bool isTorchConstant(std::string_view name)
{
    constexpr std::array<Names, 13> kBegin = {"float", "bfloat", "int",     "uint",  "complex", "quint",          "qint",
                                              "bits",  "cfloat", "cdouble", "chalf", "sparse_", "preserve_format"};
    return isPythonName(name) && name.find("__") == Names::npos
        && (contains(kTorchConstants, name)
            || std::any_of(kBegin.begin(), kBegin.end(), [&](Names begin) { return name.starts_with(begin); }));
}

bool isHarmlessExpression(std::string_view text)
{
    return ExpressionReader(text).readAll();
}

} // namespace sunder
