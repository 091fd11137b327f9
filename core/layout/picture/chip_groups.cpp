#include "layout/picture/chip_groups.h"

#include "layout/picture/item_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace sunder::collapse {
namespace {

/// The origin of a value: the path of its module and, if that is open, its op.
struct Maker {
    std::string_view path;
    std::string op; ///< empty for a closed module
};

Maker makerOf(const ItemSource& source, NodeId value)
{
    if (source.units.weightOf[value.index()] != kNone)
        return {};
    const Entry& entry = source.collapsed.entries[source.collapsed.entryOf[source.units.unitOf[value.index()]]];
    if (entry.kind == ItemKind::module && entry.scope != kNone)
        return {source.scopes.scopes[entry.scope].path.view(), {}};
    const Node& node = source.graph.node(value);
    const Index scope = node.meta.modules.index() < source.scopes.ofStack.size()
        ? source.scopes.ofStack[node.meta.modules.index()]
        : kNone;
    if (entry.kind != ItemKind::node || !node.isCall() || scope == kNone)
        return {};
    return {source.scopes.scopes[scope].path.view(), opName(node)};
}

std::optional<Index> numberIn(std::string_view word)
{
    Index number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// A path divided at the one number in which two paths differ: "blocks.0." 3 ".conv2".
struct Numbered {
    std::string_view before;
    Index number = 0;
    std::string_view after;
    bool operator==(const Numbered&) const = default;
};

/// Divides `path` at the number that `next` increments by one; nothing if there is no such number.
std::optional<Numbered> countedOn(std::string_view path, std::string_view next)
{
    const auto differ = static_cast<std::size_t>(std::ranges::mismatch(path, next).in1 - path.begin());
    const std::size_t dot = differ == 0 ? std::string_view::npos : path.rfind('.', differ - 1);
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    const auto wordOf = [begin](std::string_view of) { return of.substr(begin, of.find('.', begin) - begin); };
    if (begin > path.size() || begin > next.size())
        return std::nullopt;
    const std::optional<Index> number = numberIn(wordOf(path));
    const std::optional<Index> following = numberIn(wordOf(next));
    const std::string_view after = path.substr(begin + wordOf(path).size());
    if (!number || !following || *following != *number + 1 || after != next.substr(begin + wordOf(next).size()))
        return std::nullopt;
    return Numbered{path.substr(0, begin), *number, after};
}

/// Length of the series of values that count up from the first one, and its divided path.
struct Counted {
    std::size_t count = 1;
    Numbered first;
};

Counted countedFrom(std::span<const Maker> makers)
{
    Counted counted;
    while (counted.count < makers.size()) {
        const Maker& last = makers[counted.count - 1];
        const Maker& next = makers[counted.count];
        const std::optional<Numbered> at = last.op == next.op ? countedOn(last.path, next.path) : std::nullopt;
        if (!at || (counted.count > 1 && (at->before != counted.first.before || at->after != counted.first.after)))
            break;
        if (counted.count == 1)
            counted.first = *at;
        ++counted.count;
    }
    return counted;
}

std::string textOf(const Counted& counted, const Maker& maker)
{
    const Numbered& first = counted.first;
    std::string text(first.before);
    text += std::to_string(first.number) + " … " + std::to_string(first.number + counted.count - 1);
    const std::string_view after = first.after.empty() ? std::string_view(maker.op) : first.after.substr(1);
    if (!after.empty())
        text.append(" · ").append(after);
    return text;
}

} // namespace

std::vector<ChipGroup> chipGroupsOf(const ItemSource& source, std::span<const NodeId> values)
{
    std::vector<Maker> makers;
    makers.reserve(values.size());
    for (const NodeId value : values)
        makers.push_back(makerOf(source, value));
    std::vector<ChipGroup> groups;
    for (std::size_t begin = 0; begin < values.size();) {
        const Counted counted = countedFrom(std::span(makers).subspan(begin));
        groups.push_back(
            {values.subspan(begin, counted.count), counted.count > 1 ? textOf(counted, makers[begin]) : std::string()});
        begin += counted.count;
    }
    return groups;
}

} // namespace sunder::collapse
