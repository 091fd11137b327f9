#include "ir/namespace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace sunder {
namespace {

/// Keywords and builtins of Python 3.11 and the globals that torch.fx's generated code uses, sorted.
constexpr std::string_view kReserved[] = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NoneType",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__build_class__",
    "__debug__",
    "__doc__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "and",
    "anext",
    "any",
    "as",
    "ascii",
    "assert",
    "async",
    "await",
    "bin",
    "bool",
    "break",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "class",
    "classmethod",
    "compile",
    "complex",
    "continue",
    "copyright",
    "credits",
    "def",
    "del",
    "delattr",
    "device",
    "dict",
    "dir",
    "divmod",
    "elif",
    "else",
    "enumerate",
    "eval",
    "except",
    "exec",
    "exit",
    "filter",
    "finally",
    "float",
    "for",
    "format",
    "from",
    "frozenset",
    "fx_pytree",
    "getattr",
    "global",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "if",
    "import",
    "in",
    "inf",
    "input",
    "int",
    "is",
    "isinstance",
    "issubclass",
    "iter",
    "lambda",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "nan",
    "next",
    "nonlocal",
    "not",
    "object",
    "oct",
    "open",
    "or",
    "ord",
    "pass",
    "pow",
    "print",
    "property",
    "pytree",
    "quit",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "torch",
    "try",
    "tuple",
    "type",
    "vars",
    "while",
    "with",
    "yield",
    "zip"};

constexpr std::size_t kMaxDigits = 18;

bool isWordCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isIdentifier(std::string_view text)
{
    return !text.empty() && !isDigit(text.front()) && std::all_of(text.begin(), text.end(), isWordCharacter);
}

/// Runs of other characters become one "_"; never empty, never a leading digit.
std::string makeIdentifier(std::string_view text)
{
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isWordCharacter(text[i]))
            name += text[i];
        else if (i == 0 || isWordCharacter(text[i - 1]))
            name += '_';
    }
    if (name.empty())
        return "_unnamed";
    return isDigit(name.front()) ? "_" + name : name;
}

struct Parts {
    std::string_view base;
    std::string_view digits; ///< empty when there is no "_digits" at the end
};

Parts partsOf(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1]))
        --digits;
    if (digits == name.size() || digits < 2 || name[digits - 1] != '_')
        return {name, {}};
    return {name.substr(0, digits - 1), name.substr(digits)};
}

std::uint64_t numberOf(std::string_view digits)
{
    if (digits.size() > kMaxDigits)
        return 1'000'000'000'000'000'000ULL;
    std::uint64_t number = 0;
    for (const char c : digits)
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    return number;
}

InternedString numbered(std::string_view base, std::uint64_t number)
{
    std::array<char, 128> text;
    constexpr std::size_t kMostBase = text.size() - 21;
    if (base.size() > kMostBase)
        return intern(std::string(base) + "_" + std::to_string(number));
    base.copy(text.data(), base.size());
    text[base.size()] = '_';
    const auto end = std::to_chars(text.data() + base.size() + 1, text.data() + text.size(), number).ptr;
    return intern({text.data(), static_cast<std::size_t>(end - text.data())});
}

} // namespace

bool isReservedName(std::string_view name)
{
    return std::binary_search(std::begin(kReserved), std::end(kReserved), name);
}

InternedString Namespace::create(std::string_view candidate)
{
    return createFrom(intern(isIdentifier(candidate) ? candidate : std::string_view(makeIdentifier(candidate))));
}

InternedString Namespace::create(InternedString candidate)
{
    return isIdentifier(candidate.view()) ? createFrom(candidate) : createFrom(intern(makeIdentifier(candidate.view())));
}

void Namespace::reserve(std::size_t names)
{
    m_names.reserve(names);
}

bool Namespace::isUsed(InternedString name) const
{
    const Entry* entry = m_names.find(name);
    return entry != nullptr && entry->isUsed != 0;
}

/// `candidate` is an identifier.
InternedString Namespace::createFrom(InternedString candidate)
{
    const Parts parts = partsOf(candidate.view());
    const InternedString base = parts.digits.empty() ? candidate : internBase(parts.base);
    const bool isTaken = isUsed(candidate);
    InternedString name = candidate;
    std::uint64_t number = 0;
    bool mayBeTaken = isTaken;
    if (parts.digits.empty() || isTaken) {
        number = countOf(base);
        if (isReservedName(candidate.view())) {
            name = numbered(parts.base, ++number);
            mayBeTaken = isUsed(name);
        }
    } else {
        number = numberOf(parts.digits);
    }
    if (mayBeTaken)
        number = nextFree(parts.base, number, name);
    use(name);
    setCount(base, number);
    return name;
}

std::uint64_t Namespace::nextFree(std::string_view base, std::uint64_t from, InternedString& name)
{
    // The next number is free as a rule: names are counted up.
    name = numbered(base, from + 1);
    if (!isUsed(name))
        return from + 1;
    auto& jump = m_jump[intern(base)];
    std::uint64_t number = from + 1;
    do {
        const auto known = jump.find(number);
        number = known != jump.end() ? known->second : number + 1;
        name = numbered(base, number);
    } while (isUsed(name));
    // `number` is taken from now on; whoever comes by `from + 1` again may go on there.
    jump[from + 1] = number;
    return number;
}

std::uint64_t Namespace::countOf(InternedString base) const
{
    const Entry* entry = m_names.find(base);
    if (entry == nullptr)
        return 0;
    return entry->isLarge != 0 ? m_largeCounts.at(base) : entry->count;
}

void Namespace::setCount(InternedString base, std::uint64_t count)
{
    constexpr std::uint32_t kLargest = (1U << 30U) - 1;
    Entry& entry = m_names.emplace(base).first;
    entry.isLarge = count > kLargest ? 1 : 0;
    entry.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kLargest)) & kLargest;
    if (entry.isLarge != 0)
        m_largeCounts[base] = count;
}

InternedString Namespace::internBase(std::string_view base)
{
    const auto mixed = base.size() * 5 + static_cast<unsigned char>(base.front()) + 3U * static_cast<unsigned char>(base.back());
    InternedString& recent = m_recentBases[mixed % m_recentBases.size()];
    if (recent.view() != base)
        recent = intern(base);
    return recent;
}

} // namespace sunder
