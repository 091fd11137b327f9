#include "layout/picture/item_chips.h"

#include "layout/picture/item_looks.h"
#include "layout/picture/item_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::collapse {
namespace {

/// Values that share one chip.
struct ChipGroup {
    std::span<const NodeId> values; ///< at least one; consecutive in the grouped list
    std::string text;               ///< for several values: "blocks.0.0 … 4 · conv2"; empty for one, which has its own text
};

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

/// Groups consecutive values that come from the same place in numbered siblings ("blocks.0.0.conv2", "blocks.0.1.conv2", …), in
/// the order of `values`. For example, the inputs of each layer of a dense block become one chip, from the second layer to the
/// last. Linear in the lengths of the paths. Spans point into `values`.
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

constexpr float kChipHeight = 14;
constexpr float kChipGap = 2;
constexpr float kChipPad = 6;     ///< left and right of the text
constexpr float kSideGap = 6;     ///< between the item and its chips, and between columns
constexpr float kLongestText = 110;
constexpr float kLongestGroup = 150; ///< maximum width of a chip for several values or for the end of a cut edge
constexpr std::size_t kColumns = 2;

/// Number of chips that fit next to an item in one column.
std::size_t rowsOfChips(const Item& item)
{
    return static_cast<std::size_t>((item.rect.height + kChipGap + 2) / (kChipHeight + kChipGap));
}

} // namespace

std::string chipText(const ItemSource& source, NodeId value)
{
    const Node& node = source.graph.node(value);
    const Index weight = source.units.weightOf[value.index()];
    const bool isAside = weight != kNone && source.units.weights[weight].isAside;
    if (node.op == Op::placeholder && !isAside)
        return node.name.str();
    if (std::string symbol = symbolText(node); !symbol.empty())
        return symbol;
    if (isAside) {
        const std::string name = sourceName(source.graph, value, kAnyDepth);
        return isTelling(name) ? name : node.name.str();
    }
    // Names from inside a module are meaningless outside it.
    const Entry& maker = source.collapsed.entries[source.collapsed.entryOf[source.units.unitOf[value.index()]]];
    const std::size_t depth = maker.scope == kNone ? kAnyDepth : source.scopes.scopes[maker.scope].calls;
    if (std::string name = sourceName(source.graph, value, depth); isTelling(name))
        return name;
    return maker.kind == ItemKind::module ? source.scopes.scopes[maker.scope].path.str() : node.name.str();
}

namespace {

/// Returns one text per group. Values with the same text get the names of their nodes instead.
std::vector<std::string> textsOf(const ItemSource& source, std::span<const ChipGroup> groups)
{
    std::vector<std::string> texts;
    for (const ChipGroup& group : groups)
        texts.push_back(group.text.empty() ? chipText(source, group.values.front()) : group.text);
    std::vector<std::string> sorted = texts;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), texts[i]);
        if (last - first > 1 && groups[i].values.size() == 1)
            texts[i] = source.graph.node(groups[i].values.front()).name.str();
    }
    return texts;
}

} // namespace

void addChips(const ItemSource& source, Index entry, Item& item)
{
    const std::vector<NodeId>& values = source.flow.chips[entry];
    if (values.empty())
        return;
    const std::vector<ChipGroup> groups = chipGroupsOf(source, values);
    const std::size_t room = rowsOfChips(item) * kColumns;
    const std::size_t shown = groups.size() <= room ? groups.size() : room - 1;
    std::vector<std::string> texts = textsOf(source, std::span(groups).first(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        Chip& chip = item.chips.emplace_back(Chip{{}, std::move(texts[i]), groups[i].values.front()});
        if (groups[i].values.size() > 1)
            chip.more.assign(groups[i].values.begin(), groups[i].values.end());
    }
    if (shown < groups.size()) {
        const auto rest = values.begin() + (groups[shown].values.data() - values.data());
        Chip& chip = item.chips.emplace_back(Chip{{}, "+" + std::to_string(values.end() - rest), *rest});
        chip.more.assign(rest, values.end());
    }
    placeChips(item, source.options.direction, source.options.textWidth);
}

namespace {

/// Places chips in lines below the item, as wide as the item or the widest chip.
void placeBelow(Item& item)
{
    const float gap = kChipGap + 2;
    float x = 0;
    float y = item.rect.height + gap;
    for (Chip& chip : item.chips) {
        if (x > 0 && x + chip.rect.width > item.rect.width) {
            x = 0;
            y += kChipHeight + kChipGap;
        }
        chip.rect.x = x;
        chip.rect.y = y;
        x += chip.rect.width + gap;
    }
}

/// Places chips in columns to the right of the item.
void placeBeside(Item& item)
{
    const std::size_t rows = rowsOfChips(item);
    const std::size_t columns = (item.chips.size() + rows - 1) / rows;
    const std::size_t height = (item.chips.size() + columns - 1) / columns;
    float x = item.rect.width + kSideGap;
    for (std::size_t first = 0; first < item.chips.size(); first += height) {
        const std::size_t count = std::min(height, item.chips.size() - first);
        float y = (item.rect.height - static_cast<float>(count) * (kChipHeight + kChipGap) + kChipGap) / 2;
        float widest = 0;
        for (std::size_t i = first; i < first + count; ++i) {
            Chip& chip = item.chips[i];
            chip.rect.x = x;
            chip.rect.y = y;
            y += kChipHeight + kChipGap;
            widest = std::max(widest, chip.rect.width);
        }
        x += widest + kSideGap;
    }
}

} // namespace

void placeChips(Item& item, FlowDirection direction, const TextWidth& textWidth)
{
    for (Chip& chip : item.chips) {
        const bool isGroup = chip.kind != ChipKind::value || !chip.more.empty();
        chip.text = elidePath(chip.text, isGroup ? kLongestGroup : kLongestText, TextRole::chip, textWidth);
        chip.rect = {0, 0, textWidth(chip.text, TextRole::chip) + 2 * kChipPad, kChipHeight};
    }
    if (direction == FlowDirection::right)
        placeBelow(item);
    else
        placeBeside(item);
}

} // namespace sunder::collapse
