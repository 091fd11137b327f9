#include "ir/python_text.h"

#include "ir/python_names.h"
#include "ir/tensor_meta.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sunder {
namespace {

std::string pythonComplex(double real, double imaginary)
{
    const auto part = [](double value) {
        std::string text = pythonFloat(value);
        if (text.ends_with(".0"))
            text.resize(text.size() - 2);
        return text;
    };
    if (real == 0 && !std::signbit(real))
        return part(imaginary) + "j";
    const std::string tail = part(imaginary);
    return "(" + part(real) + (tail.starts_with('-') ? "" : "+") + tail + "j)";
}

std::string pythonDevice(std::string_view device)
{
    const std::size_t colon = device.find(':');
    if (colon == std::string_view::npos)
        return "device(type=" + pythonString(device) + ")";
    const std::string_view index = device.substr(colon + 1);
    constexpr std::size_t kMaxIndexDigits = 9;
    const bool isNumber = !index.empty() && index.size() <= kMaxIndexDigits
        && std::all_of(index.begin(), index.end(), isAsciiDigit) && (index.size() == 1 || index.front() != '0');
    return isNumber ? "device(type=" + pythonString(device.substr(0, colon)) + ", index=" + std::string(index) + ")"
                    : "device(" + pythonString(device) + ")";
}

std::string joined(std::span<const Argument> items, const PythonSpelling& spelling)
{
    std::string text;
    for (const Argument& item : items) {
        text += text.empty() ? "" : ", ";
        text += pythonRepr(item, spelling);
    }
    return text;
}

std::string pythonDict(const Argument& value, const PythonSpelling& spelling)
{
    std::string text = "{";
    for (std::size_t i = 0; i < value.items().size(); ++i)
        text += (i == 0 ? "" : ", ") + pythonRepr(value.keys()[i], spelling) + ": " + pythonRepr(value.items()[i], spelling);
    return text + "}";
}

/// A function of Python's operator module and the equivalent syntax; "{}" marks arguments.
struct Syntax {
    std::string_view name;
    std::string_view syntax;
};

constexpr std::array kInfix = {
    Syntax{"add", "{} + {}"},     Syntax{"sub", "{} - {}"},    Syntax{"mul", "{} * {}"},  Syntax{"floordiv", "{} // {}"},
    Syntax{"truediv", "{} / {}"}, Syntax{"mod", "{} % {}"},    Syntax{"pow", "{} ** {}"}, Syntax{"lshift", "{} << {}"},
    Syntax{"rshift", "{} >> {}"}, Syntax{"and_", "{} & {}"},   Syntax{"or_", "{} | {}"},  Syntax{"xor", "{} ^ {}"},
    Syntax{"getitem", "{}[{}]"},  Syntax{"matmul", "{} @ {}"}, Syntax{"eq", "{} == {}"},  Syntax{"ne", "{} != {}"},
    Syntax{"lt", "{} < {}"},      Syntax{"gt", "{} > {}"},     Syntax{"le", "{} <= {}"},  Syntax{"ge", "{} >= {}"},
    Syntax{"pos", "+{}"},         Syntax{"neg", "-{}"},        Syntax{"invert", "~{}"},
};

constexpr std::array kInPlace = {
    Syntax{"iadd", "{} += {}"},     Syntax{"iand", "{} &= {}"},       Syntax{"ifloordiv", "{} //= {}"},
    Syntax{"ilshift", "{} <<= {}"}, Syntax{"imod", "{} %= {}"},       Syntax{"imul", "{} *= {}"},
    Syntax{"imatmul", "{} @= {}"},  Syntax{"ior", "{} |= {}"},        Syntax{"ipow", "{} **= {}"},
    Syntax{"irshift", "{} >>= {}"}, Syntax{"isub", "{} -= {}"},       Syntax{"itruediv", "{} /= {}"},
    Syntax{"ixor", "{} ^= {}"},     Syntax{"setitem", "{}[{}] = {}"},
};

constexpr std::string_view kOperator = "_operator.";

/// Returns the number of operands of a syntax.
std::size_t placesIn(std::string_view syntax)
{
    std::size_t places = 0;
    for (std::size_t at = syntax.find("{}"); at != std::string_view::npos; at = syntax.find("{}", at + 2))
        ++places;
    return places;
}

template <std::size_t N>
std::string_view syntaxIn(const std::array<Syntax, N>& table, std::string_view target, std::size_t argumentCount)
{
    if (!target.starts_with(kOperator))
        return {};
    const auto* const found = std::ranges::find(table, target.substr(kOperator.size()), &Syntax::name);
    return found != table.end() && argumentCount >= placesIn(found->syntax) ? found->syntax : std::string_view();
}

/// Whether a word is the name of a type.
bool isTypeName(std::string_view word)
{
    return isDottedPythonName(word) && !reachesBeyondGraphs(word)
        && (word.find('.') != std::string_view::npos || isPlainBuiltin(word) || isReservedPythonType(word));
}

} // namespace

bool isPythonIdentifier(std::string_view text)
{
    return !text.empty() && !isAsciiDigit(text.front())
        && std::all_of(text.begin(), text.end(), [](char c) { return isAsciiLetter(c) || isAsciiDigit(c) || (c & 0x80) != 0; });
}

std::string pythonFloat(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    constexpr int kMinFixed = -4;
    constexpr int kMaxFixed = 16;
    std::array<char, 40> buffer{};
    const auto scientific = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string_view digits(buffer.data(), static_cast<std::size_t>(scientific.ptr - buffer.data()));
    int exponent = 0;
    const std::size_t e = digits.find('e');
    const std::size_t sign = e + (digits[e + 1] == '+' ? 2 : 1);
    std::from_chars(digits.data() + sign, digits.data() + digits.size(), exponent);
    if (exponent < kMinFixed || exponent >= kMaxFixed)
        return std::string(digits);
    const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    std::string text(buffer.data(), static_cast<std::size_t>(fixed.ptr - buffer.data()));
    if (text.find('.') == std::string::npos)
        text += ".0";
    return text;
}

std::string pythonString(std::string_view text)
{
    const bool useDouble = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
    const char quote = useDouble ? '"' : '\'';
    std::string quoted;
    for (const char c : text) {
        if (c == quote || c == '\\')
            quoted += '\\';
        quoted += c;
    }
    return quote + visibleText(quoted) + quote; // uses the same escapes as Python
}

std::string pythonTorchAttribute(std::string_view name)
{
    return isTorchConstant(name) ? "torch." + std::string(name) : pythonString(name);
}

std::string pythonRepr(const Argument& value, const PythonSpelling& spelling)
{
    const auto printed = [&](std::string_view text) { return spelling.printed ? spelling.printed(text) : std::string(text); };
    switch (value.kind()) {
    case ArgumentKind::none: return "None";
    case ArgumentKind::boolean: return value.asBoolean() ? "True" : "False";
    case ArgumentKind::integer: return std::to_string(value.asInteger());
    case ArgumentKind::floating: return pythonFloat(value.asFloating());
    case ArgumentKind::string: return pythonString(value.text().view());
    case ArgumentKind::node: return spelling.node(value.asNode());
    case ArgumentKind::list: return "[" + joined(value.items(), spelling) + "]";
    case ArgumentKind::tuple: return "(" + joined(value.items(), spelling) + (value.items().size() == 1 ? ",)" : ")");
    case ArgumentKind::namedTuple:
        return spelling.callable(value.className()) + "(" + joined(value.items(), spelling)
            + (value.items().size() == 1 ? ",)" : ")");
    case ArgumentKind::dict: return pythonDict(value, spelling);
    case ArgumentKind::slice: return "slice(" + joined(value.items(), spelling) + ")";
    case ArgumentKind::range: {
        const bool hasStep = !(value.items()[2] == Argument::integer(1));
        return "range(" + joined(value.items().first(hasStep ? 3 : 2), spelling) + ")";
    }
    case ArgumentKind::ellipsis: return "Ellipsis";
    case ArgumentKind::complex: return pythonComplex(value.asComplex().first, value.asComplex().second);
    case ArgumentKind::dtype:
    case ArgumentKind::layout:
    case ArgumentKind::memoryFormat: return pythonTorchAttribute(value.text().view());
    case ArgumentKind::device: return pythonDevice(value.text().view());
    case ArgumentKind::function: return spelling.callable(value.text());
    case ArgumentKind::symbolic: return printed(value.asSymbolic().expression.view());
    case ArgumentKind::graph: return "GraphModule()";
    case ArgumentKind::tensor: return printed(describe(value.asTensor()));
    default: return printed(value.text().view());
    }
}

std::string pythonStr(const Argument& value, const PythonSpelling& spelling)
{
    if (value.is(ArgumentKind::string) || value.is(ArgumentKind::device))
        return value.text().str();
    return pythonRepr(value, spelling);
}

std::string_view operatorSyntax(std::string_view target, std::size_t argumentCount)
{
    return syntaxIn(kInfix, target, argumentCount);
}

std::string_view inPlaceSyntax(std::string_view target, std::size_t argumentCount)
{
    return syntaxIn(kInPlace, target, argumentCount);
}

std::string filledSyntax(std::string_view syntax, const std::vector<std::string>& arguments)
{
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < syntax.size(); ++i) {
        if (syntax.substr(i, 2) != "{}") {
            text += syntax[i];
            continue;
        }
        text += arguments[next++];
        ++i;
    }
    return text;
}

bool isReservedPythonType(std::string_view name)
{
    return name == "torch" || name == "NoneType" || name == "device";
}

bool isPythonType(std::string_view text)
{
    constexpr std::size_t kDeepest = 40;
    std::string open;
    bool expectsValue = true;
    for (std::size_t at = 0; at < text.size();) {
        if (expectsValue) {
            if (text[at] == '[' && !open.empty() && open.size() < kDeepest) { // the parameter list of a Callable
                open += text[at++];
                if (!text.substr(at).starts_with("]"))
                    continue;
            } else {
                const std::size_t end = std::min(text.find_first_of("[],|", at), text.size());
                const std::string_view word = text.substr(at, end - at);
                const bool isName = isTypeName(word);
                if (!isName && word != "..." && word != "None" && word != "()")
                    return false;
                at = end;
                if (isName && text.substr(at).starts_with("[") && open.size() < kDeepest) {
                    open += text[at++];
                    continue;
                }
            }
            expectsValue = false;
            continue;
        }
        const char c = text[at++];
        if (c == ']' && !open.empty())
            open.pop_back();
        else if (c == '|' || (c == ',' && !open.empty()))
            expectsValue = true;
        else
            return false;
    }
    return open.empty() && !expectsValue;
}

} // namespace sunder
