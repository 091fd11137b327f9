#include "ir/python_text.h"

#include "ir/python_names.h"
#include "ir/tensor_meta.h"
#include "support/ascii.h"
#include "support/visible_text.h"

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

} // namespace sunder
