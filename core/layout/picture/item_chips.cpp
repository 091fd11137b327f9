#include "layout/picture/item_chips.h"

#include "layout/picture/item_source_name.h"
#include "layout/picture/item_text.h"

#include <algorithm>
#include <array>

namespace sunder::collapse {
namespace {

constexpr float kChipHeight = 14;
constexpr float kChipGap = 2;
constexpr float kChipPad = 6;     ///< beside the text
constexpr float kSideGap = 6;     ///< between the item and its chips, and between columns
constexpr float kLongestText = 110;
constexpr std::size_t kColumns = 2;

/// "s27" for a size that is a symbol of its own.
std::string symbolText(const Node& node)
{
    const bool isSymbol = node.meta.val && node.meta.val->is(ArgumentKind::symbolic);
    return isSymbol ? node.meta.val->asSymbolic().expression.str() : std::string();
}

/// How many chips stand beside an item, one below the other.
std::size_t rowsOfChips(const Item& item)
{
    return static_cast<std::size_t>((item.rect.height + kChipGap + 2) / (kChipHeight + kChipGap));
}

/// False for names of the source that say nothing.
bool isTelling(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kEmptyWords{"input", "output", "out", "res", "ret", "result", "tmp"};
    return name.size() > 1 && std::find(kEmptyWords.begin(), kEmptyWords.end(), name) == kEmptyWords.end();
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
    // What a module calls its values inside says nothing outside it.
    const Entry& maker = source.collapsed.entries[source.collapsed.entryOf[source.units.unitOf[value.index()]]];
    const std::size_t depth = maker.scope == kNone ? kAnyDepth : source.scopes.scopes[maker.scope].calls;
    if (std::string name = sourceName(source.graph, value, depth); isTelling(name))
        return name;
    return maker.kind == ItemKind::module ? source.scopes.scopes[maker.scope].path.str() : node.name.str();
}

namespace {

/// One text a value; two values of one text get their nodes' names.
std::vector<std::string> textsOf(const ItemSource& source, const std::vector<NodeId>& values, std::size_t shown)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < shown; ++i)
        texts.push_back(chipText(source, values[i]));
    std::vector<std::string> sorted = texts;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), texts[i]);
        if (last - first > 1)
            texts[i] = source.graph.node(values[i]).name.str();
    }
    return texts;
}

} // namespace

void addChips(const ItemSource& source, Index entry, Item& item)
{
    const std::vector<NodeId>& values = source.flow.chips[entry];
    if (values.empty())
        return;
    const std::size_t rows = rowsOfChips(item);
    const bool isAll = values.size() <= rows * kColumns;
    const std::size_t shown = isAll ? values.size() : rows * kColumns - 1;
    std::vector<std::string> texts = textsOf(source, values, shown);
    for (std::size_t i = 0; i < shown; ++i)
        item.chips.push_back({{}, std::move(texts[i]), values[i]});
    if (!isAll) {
        Chip rest{{}, "+" + std::to_string(values.size() - shown), values[shown]};
        rest.more.assign(values.begin() + static_cast<std::ptrdiff_t>(shown), values.end());
        item.chips.push_back(std::move(rest));
    }
    placeChips(item, source.options.direction, source.options.textWidth);
}

namespace {

/// In lines below the item, as wide as it or as the widest chip.
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

/// In columns at its right side.
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
        chip.text = elideMiddle(chip.text, kLongestText, TextRole::chip, textWidth);
        chip.rect = {0, 0, textWidth(chip.text, TextRole::chip) + 2 * kChipPad, kChipHeight};
    }
    if (direction == FlowDirection::right)
        placeBelow(item);
    else
        placeBeside(item);
}

} // namespace sunder::collapse
