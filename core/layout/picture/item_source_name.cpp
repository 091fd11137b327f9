#include "layout/picture/item_source_name.h"

#include <algorithm>
#include <array>
#include <cctype>

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

} // namespace sunder
