#include "layout/picture/item_text.h"

#include <vector>

namespace sunder {
namespace {

constexpr std::string_view kOps = "torch.ops.";

std::string operatorName(std::string_view target)
{
    target.remove_prefix(kOps.size());
    const std::size_t dot = target.find('.');
    if (dot == std::string_view::npos)
        return std::string(target);
    const std::string_view library = target.substr(0, dot);
    std::string_view op = target.substr(dot + 1);
    op = op.substr(0, op.find('.'));
    if (library == "aten" || library == "prims" || library == "prim" || library == "higher_order")
        return std::string(op);
    return std::string(library) + "::" + std::string(op);
}

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

float widthOfCharacter(char c, TextRole role)
{
    if (isContinuation(c))
        return 0;
    switch (role) {
    case TextRole::mono: return 5.8F;
    case TextRole::chip: return 5.5F;
    case TextRole::title: break;
    }
    if (c == '.' || c == 'i' || c == 'l' || c == ' ' || c == 'j' || c == ',' || c == ':' || c == '\'')
        return 3.9F;
    if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@')
        return 11.0F;
    return (c >= 'A' && c <= 'Z') ? 8.6F : 7.6F;
}

} // namespace

float estimateTextWidth(std::string_view text, TextRole role)
{
    float width = 0;
    for (const char c : text)
        width += widthOfCharacter(c, role);
    return width;
}

std::string_view shortClass(std::string_view cls)
{
    const std::size_t dot = cls.rfind('.');
    return dot == std::string_view::npos ? cls : cls.substr(dot + 1);
}

std::string opName(const Node& node)
{
    const std::string_view target = node.target.view();
    switch (node.op) {
    case Op::placeholder: return "input";
    case Op::output: return "output";
    case Op::callMethod: return std::string(target);
    case Op::callFunction:
        if (target.substr(0, kOps.size()) == kOps)
            return operatorName(target);
        break;
    case Op::callModule:
    case Op::getAttr: break;
    }
    return std::string(shortClass(target));
}

std::string_view pathWithin(std::string_view path, std::string_view outer)
{
    const bool isInside = !outer.empty() && path.size() > outer.size() + 1 && path.substr(0, outer.size()) == outer
        && path[outer.size()] == '.';
    return isInside ? path.substr(outer.size() + 1) : path;
}

std::string elideMiddle(std::string_view text, float width, TextRole role, const TextWidth& textWidth)
{
    if (textWidth(text, role) <= width)
        return std::string(text);
    std::vector<std::size_t> starts; // of each character
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isContinuation(text[i]))
            starts.push_back(i);
    }
    const auto shortened = [&](std::size_t kept) {
        const std::size_t head = (kept + 1) / 2;
        const std::size_t tail = kept / 2;
        const std::size_t tailStart = tail == 0 ? text.size() : starts[starts.size() - tail];
        return std::string(text.substr(0, starts[head])) + "…" + std::string(text.substr(tailStart));
    };
    std::size_t fits = 0;
    std::size_t tooMany = starts.empty() ? 0 : starts.size() - 1;
    while (fits + 1 < tooMany) {
        const std::size_t middle = (fits + tooMany) / 2;
        (textWidth(shortened(middle), role) <= width ? fits : tooMany) = middle;
    }
    return starts.empty() ? "…" : shortened(fits);
}

std::string elideEnd(std::string_view text, float width, TextRole role, const TextWidth& textWidth)
{
    std::string shown(text);
    std::size_t kept = text.size();
    while (kept > 0 && textWidth(shown, role) > width) {
        do
            --kept;
        while (kept > 0 && isContinuation(text[kept]));
        while (kept > 0 && (text[kept - 1] == ' ' || text[kept - 1] == ','))
            --kept;
        shown = std::string(text.substr(0, kept)) + "…";
    }
    return shown;
}

std::string elidePath(std::string_view text, float width, TextRole role, const TextWidth& textWidth)
{
    std::string shown(text);
    const std::size_t space = text.find(' ');
    const bool hasArrow = text.starts_with("→ ") || text.starts_with("← ");
    const std::size_t begin = hasArrow ? space + 1 : 0;
    const std::size_t end = std::min(text.size(), text.find(' ', begin)); // only the first path of "layers.0 … 4"
    for (std::size_t dot = text.find('.', begin); textWidth(shown, role) > width && dot < end; dot = text.find('.', dot + 1))
        shown = std::string(text.substr(0, begin)) + "…" + std::string(text.substr(dot + 1));
    return elideMiddle(textWidth(shown, role) <= width ? std::string_view(shown) : text, width, role, textWidth);
}

} // namespace sunder
