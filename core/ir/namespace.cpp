#include "ir/namespace.h"

#include "support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <string>

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

constexpr std::size_t kMaxDigits = 18;

constexpr std::array<bool, 256> wordCharacters()
{
    std::array<bool, 256> are{};
    for (std::size_t i = 0; i < are.size(); ++i) {
        const auto c = static_cast<char>(i);
        are[i] = isAsciiDigit(c) || isAsciiLetter(c);
    }
    return are;
}

constexpr std::array<bool, 256> kWordCharacters = wordCharacters();

bool isWordCharacter(char c)
{
    return kWordCharacters[static_cast<unsigned char>(c)];
}

bool isIdentifier(std::string_view text)
{
    return !text.empty() && !isAsciiDigit(text.front()) && std::all_of(text.begin(), text.end(), isWordCharacter);
}

/// Converts a text to an identifier: runs of other characters become one "_". Never empty, and never starts with a digit.
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
    return isAsciiDigit(name.front()) ? "_" + name : name;
}

struct Parts {
    std::string_view base;
    std::string_view digits; ///< empty if there is no "_digits" at the end
};

Parts partsOf(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && isAsciiDigit(name[digits - 1]))
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
    constexpr std::size_t kMaxBase = text.size() - 21;
    if (base.size() > kMaxBase)
        return intern(std::string(base) + "_" + std::to_string(number));
    base.copy(text.data(), base.size());
    text[base.size()] = '_';
    const auto end = std::to_chars(text.data() + base.size() + 1, text.data() + text.size(), number).ptr;
    return intern({text.data(), static_cast<std::size_t>(end - text.data())});
}

} // namespace

/// The parts of a name, computed once per text and cached as its note, because every pass sees the same names.
struct Namespace::Facts {
    enum class Kind : std::uint8_t {
        plain = 1,    ///< an identifier without a number at its end
        reserved = 2, ///< the same, but reserved
        numbered = 3, ///< an identifier with a number at its end: `other` is the part before it
        foreign = 0,  ///< not an identifier: `other` is the identifier made from it
    } kind;
    InternedString other;

    static Facts of(InternedString text)
    {
        const std::uint32_t note = text.note();
        if (note != 0)
            return {static_cast<Kind>(note % 4), InternedString::ofId(note / 4)};
        const Facts facts = workOut(text);
        if (facts.other.id() < 1U << 30U)
            text.keepNote(facts.other.id() * 4 + static_cast<std::uint32_t>(facts.kind));
        return facts;
    }

private:
    static Facts workOut(InternedString text)
    {
        if (!isIdentifier(text.view()))
            return {Kind::foreign, intern(makeIdentifier(text.view()))};
        const Parts parts = partsOf(text.view());
        if (!parts.digits.empty())
            return {Kind::numbered, intern(parts.base)};
        return {isReservedName(text.view()) ? Kind::reserved : Kind::plain, text};
    }
};

InternedString Namespace::create(std::string_view candidate)
{
    return create(intern(candidate));
}

InternedString Namespace::create(InternedString candidate)
{
    const Facts facts = Facts::of(candidate);
    return facts.kind == Facts::Kind::foreign ? createFrom(facts.other, Facts::of(facts.other)) : createFrom(candidate, facts);
}

InternedString Namespace::candidateFor(Op op, InternedString target, InternedString fn)
{
    if (op != Op::callFunction || !fn.empty())
        return candidateName(op, target, fn);
    auto& [callable, candidate] = m_candidates[target.id() % m_candidates.size()];
    if (callable != target || candidate.empty()) {
        callable = target;
        candidate = candidateName(op, target, fn);
    }
    return candidate;
}

void Namespace::reserve(std::size_t names)
{
    m_used.reserve(names);
}

/// `candidate` must be an identifier.
InternedString Namespace::createFrom(InternedString candidate, const Facts& facts)
{
    if (facts.kind != Facts::Kind::reserved && m_used.insert(candidate)) {
        if (facts.kind == Facts::Kind::numbered)
            setCount(facts.other, numberOf(partsOf(candidate.view()).digits));
        return candidate;
    }
    const InternedString base = facts.other;
    std::uint64_t number = countOf(base);
    InternedString name;
    if (facts.kind == Facts::Kind::reserved)
        name = numberedName(base, ++number);
    if (name.empty() || isUsed(name))
        number = nextFree(base, number, name);
    use(name);
    setCount(base, number);
    return name;
}

InternedString Namespace::numberedName(InternedString base, std::uint64_t number)
{
    Numbered& last = m_lastNumbered[base.id() % m_lastNumbered.size()];
    const bool follows = last.base == base && last.number + 1 == number;
    InternedString name = follows ? last.name.next() : InternedString();
    if (name.empty()) {
        name = numbered(base.view(), number);
        if (follows)
            last.name.keepNext(name);
    }
    last = {base, name, number};
    return name;
}

std::uint64_t Namespace::nextFree(InternedString base, std::uint64_t from, InternedString& name)
{
    // The next number is usually free, because numbers are assigned in ascending order.
    name = numberedName(base, from + 1);
    if (!isUsed(name))
        return from + 1;
    auto& jump = m_jump[base];
    std::uint64_t number = from + 1;
    do {
        const auto known = jump.find(number);
        number = known != jump.end() ? known->second : number + 1;
        name = numbered(base.view(), number);
    } while (isUsed(name));
    // `number` is used from now on. The next search that starts at `from + 1` can continue there.
    jump[from + 1] = number;
    return number;
}

std::uint64_t Namespace::countOf(InternedString base) const
{
    const std::uint64_t* count = m_counts.find(base);
    return count != nullptr ? *count : 0;
}

bool isReservedName(std::string_view name)
{
    return std::binary_search(std::begin(kReserved), std::end(kReserved), name);
}

} // namespace sunder
