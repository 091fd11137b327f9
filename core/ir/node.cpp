#include "ir/node.h"

#include <algorithm>
#include <array>
#include <string>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 6> kOpNames = {"placeholder", "get_attr",    "call_function",
                                                      "call_module", "call_method", "output"};

} // namespace

std::string_view name(Op op)
{
    return kOpNames[static_cast<std::size_t>(op)];
}

std::optional<Op> opOf(std::string_view name)
{
    for (std::size_t i = 0; i < kOpNames.size(); ++i)
        if (kOpNames[i] == name)
            return static_cast<Op>(i);
    return std::nullopt;
}

std::string snakeCase(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 4);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z')
            out += '_';
        out += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

InternedString candidateName(Op op, InternedString target, InternedString fn)
{
    const InternedString from = op == Op::callFunction && !fn.empty() ? fn : target;
    std::string_view text = from.view();
    if (op == Op::callFunction && fn.empty())
        text = text.substr(text.rfind('.') + 1);
    else if (op != Op::callFunction && text.size() >= 4 && text.starts_with("__") && text.ends_with("__"))
        text = text.substr(2, text.size() - 4);
    const bool isSnake = std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!isSnake)
        return intern(snakeCase(text));
    return text.size() == from.view().size() ? from : intern(text);
}

} // namespace sunder
