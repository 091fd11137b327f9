#include "layout/picture/item_chips.h"

#include "layout/picture/chip_groups.h"
#include "layout/picture/item_source_name.h"
#include "layout/picture/item_text.h"

#include <algorithm>

namespace sunder::collapse {
namespace {

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
