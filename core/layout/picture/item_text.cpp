#include "layout/picture/item_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace sunder {
namespace {

constexpr std::size_t kLongestLine = 400;
constexpr int kMaxNeighbors = 512; ///< maximum number of nodes examined in each direction
constexpr std::size_t kDeepestCall = 32;

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool isName(std::string_view text)
{
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::all_of(text.begin(), text.end(), isLetter);
}

/// Position of the first "=" of an assignment: outside brackets and strings, and not part of a comparison.
std::size_t findAssignment(std::string_view line)
{
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' || c == '\'')
            return std::string_view::npos;
        if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if (c == ')' || c == ']' || c == '}')
            --depth;
        else if (c == '=' && depth == 0)
            return i + 1 < line.size() && line[i + 1] == '=' ? std::string_view::npos : i;
        else if ((c == '!' || c == '<' || c == '>') && i + 1 < line.size() && line[i + 1] == '=')
            return std::string_view::npos;
    }
    return std::string_view::npos;
}

/// A call in the stack trace of an op: the end of its text in the trace, and its source line.
struct TraceLine {
    std::size_t end = 0;
    std::string_view code;
};

/// Returns the calls of a trace down to `depth` forward methods, outermost first. A call is "File …, line 3, in forward",
/// followed by its code.
std::vector<TraceLine> linesOf(std::string_view trace, std::size_t depth)
{
    std::vector<TraceLine> lines;
    std::size_t forwards = 0;
    for (std::size_t at = 0; at < trace.size();) {
        const std::size_t end = std::min(trace.find('\n', at), trace.size());
        const std::string_view line = trimmed(trace.substr(at, end - at));
        const bool isCall = line.substr(0, 5) == "File ";
        if (isCall) {
            forwards += line.find(", in forward") != std::string_view::npos ? 1 : 0;
            if (forwards > depth)
                break;
            lines.push_back({end, {}});
        }
        if (!isCall && !lines.empty() && lines.back().code.empty()) {
            lines.back().code = line;
            lines.back().end = end;
        }
        at = end + 1;
    }
    return lines;
}

/// Returns the position of `value` among the values that leave a source line, and their number. The nodes of the line surround
/// `value`, and their traces begin with `prefix`.
std::pair<std::size_t, std::size_t> placeAmongLeaving(const Graph& graph, NodeId value, std::string_view prefix)
{
    const auto belongs = [&](NodeId id) {
        const std::string_view trace = graph.node(id).meta.trace.view();
        return trace.size() >= prefix.size() && trace.substr(0, prefix.size()) == prefix
            && (trace.size() == prefix.size() || trace[prefix.size()] == '\n');
    };
    NodeId first = value;
    for (int i = 0; i < kMaxNeighbors && graph.previous(first) && belongs(graph.previous(first)); ++i)
        first = graph.previous(first);
    std::size_t place = 0;
    std::size_t count = 0;
    int left = 2 * kMaxNeighbors;
    for (NodeId id = first; id && left > 0 && belongs(id); id = graph.next(id), --left) {
        const auto users = graph.users(id);
        if (id == value)
            place = count;
        count += std::all_of(users.begin(), users.end(), belongs) ? 0 : 1;
    }
    return {place, count};
}

} // namespace

std::vector<std::string> assignedNames(std::string_view line)
{
    line = line.substr(0, kLongestLine);
    const std::size_t at = findAssignment(line);
    if (at == std::string_view::npos)
        return {};
    std::string_view left = line.substr(0, at);
    while (!left.empty() && std::string_view("+-*/%@&|^:").find(left.back()) != std::string_view::npos)
        left.remove_suffix(1);
    left = trimmed(left.substr(0, left.find(':')));
    if (left.size() > 1 && left.front() == '(' && left.back() == ')')
        left = left.substr(1, left.size() - 2);
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= left.size();) {
        const std::size_t end = std::min(left.find(',', begin), left.size());
        std::string_view name = trimmed(left.substr(begin, end - begin));
        name = name.substr(name.rfind('.') + 1);
        if (!name.empty() && !isName(name))
            return {};
        if (!name.empty())
            names.emplace_back(name);
        begin = end + 1;
    }
    return names;
}

std::string sourceName(const Graph& graph, NodeId value, std::size_t depth)
{
    const std::string_view trace = graph.node(value).meta.trace.view();
    const std::vector<TraceLine> lines = linesOf(trace, depth);
    for (std::size_t i = lines.size(); i-- > 0 && lines.size() - i <= kDeepestCall;) {
        if (lines[i].code.substr(0, 6) == "return")
            continue;
        const std::vector<std::string> names = assignedNames(lines[i].code);
        if (names.empty())
            return {};
        if (names.size() == 1)
            return names.front();
        const auto [place, count] = placeAmongLeaving(graph, value, trace.substr(0, lines[i].end));
        return place < names.size() && count == names.size() ? names[place] : std::string();
    }
    return {};
}

std::string symbolText(const Node& node)
{
    const bool isSymbol = node.meta.val && node.meta.val->is(ArgumentKind::symbolic);
    return isSymbol ? node.meta.val->asSymbolic().expression.str() : std::string();
}

bool isTelling(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kEmptyWords{"input", "output", "out", "res", "ret", "result", "tmp"};
    return name.size() > 1 && std::find(kEmptyWords.begin(), kEmptyWords.end(), name) == kEmptyWords.end();
}

std::string nameFromAfar(const Graph& graph, NodeId value)
{
    const Node& node = graph[value];
    if (node.op == Op::placeholder)
        return node.name.str();
    if (std::string symbol = symbolText(node); !symbol.empty())
        return symbol;
    const std::string name = sourceName(graph, value, 1);
    return isTelling(name) ? name : node.name.str();
}

namespace {

constexpr std::string_view kOps = "torch.ops.";

std::string displayedOperator(std::string_view target)
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
            return displayedOperator(target);
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
