#include "panes/partition_dag/dag_decorations.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace sunder {
namespace {

constexpr double kMinTold = 0.75; ///< below this zoom, boxes are too low to point at

/// Returns whether a chip is a handle of a box.
bool isAtEdge(const DagChip& chip)
{
    return !chip.isBeside;
}

/// Returns `box`, or else the box of `chip`: for the mouse or the keyboard.
int boxOf(const DagLayout& layout, int box, int chip)
{
    return chip >= 0 ? static_cast<int>(layout.chips[static_cast<std::size_t>(chip)].box) : box;
}

/// Returns the chips at the edges of a box.
std::vector<std::size_t> chipsOfBox(const DagLayout& layout, int box)
{
    if (box < 0)
        return {};
    const auto found = std::ranges::equal_range(layout.chips, static_cast<std::size_t>(box), {}, &DagChip::box);
    const auto edge = std::ranges::find_if_not(found, isAtEdge);
    std::vector<std::size_t> chips(static_cast<std::size_t>(edge - found.begin()));
    std::iota(chips.begin(), chips.end(), static_cast<std::size_t>(found.begin() - layout.chips.begin()));
    return chips;
}

DagHit placeOf(int box, int cutEdge, int chip)
{
    if (cutEdge >= 0)
        return {DagHit::Kind::cutEdge, cutEdge};
    if (chip >= 0)
        return {DagHit::Kind::chip, chip};
    return box >= 0 ? DagHit{DagHit::Kind::box, box} : DagHit();
}

int indexIf(DagHit place, DagHit::Kind kind)
{
    return place.kind == kind ? place.index : -1;
}

} // namespace

DagDecorations::DagDecorations(const DagContent& content)
    : selectedOps(content.boxes.size(), 0), hoveredBoxes(content.boxes.size(), 0), selectedHandles(content.handles.size(), 0),
      selectedShared(content.shared.size(), 0)
{
}

DagHit DagDecorations::current() const
{
    return placeOf(currentBox, currentCutEdge, currentChip);
}

void DagDecorations::setCurrent(DagHit place)
{
    currentBox = indexIf(place, DagHit::Kind::box);
    currentCutEdge = indexIf(place, DagHit::Kind::cutEdge);
    currentChip = indexIf(place, DagHit::Kind::chip);
}

DagHit DagDecorations::pointed() const
{
    return placeOf(box, cutEdge, chip);
}

void DagDecorations::setPointed(DagHit place)
{
    box = indexIf(place, DagHit::Kind::box);
    cutEdge = indexIf(place, DagHit::Kind::cutEdge);
    chip = indexIf(place, DagHit::Kind::chip);
}

std::vector<std::size_t> shownChips(const DagLayout& layout, const DagDecorations& marks)
{
    if (layout.hasRoomForChips) {
        std::vector<std::size_t> all(layout.chips.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        return all;
    }
    const bool isPicked = marks.currentBox >= 0 && static_cast<std::size_t>(marks.currentBox) < marks.selectedOps.size()
        && marks.selectedOps[static_cast<std::size_t>(marks.currentBox)] > 0;
    const bool isOnHandle = marks.currentChip >= 0 && isAtEdge(layout.chips[static_cast<std::size_t>(marks.currentChip)]);
    const bool mayCover = !layout.isDense || isPicked || isOnHandle;
    const int current = mayCover ? boxOf(layout, marks.currentBox, marks.currentChip) : -1;
    const int pointed = layout.isDense ? -1 : boxOf(layout, marks.box, marks.chip);
    const auto first = std::ranges::find_if(layout.chips, isAtEdge);
    const bool areTiny = first != layout.chips.end() && first->rect.height() * kMinTold > DagChip::kHeight;
    const std::vector<std::size_t> over = pointed == current || areTiny ? std::vector<std::size_t>()
                                                                        : chipsOfBox(layout, pointed);
    std::vector<std::size_t> shown = chipsOfBox(layout, current);
    std::erase_if(shown, [&](std::size_t chip) { // adjacent boxes share the gap
        return std::ranges::any_of(
            over, [&](std::size_t other) { return layout.chips[other].rect.intersects(layout.chips[chip].rect); });
    });
    shown.insert(shown.end(), over.begin(), over.end());
    for (std::size_t chip = 0; chip < layout.chips.size(); ++chip)
        if (layout.chips[chip].isBeside)
            shown.push_back(chip);
    return shown;
}

bool isLabelShown(const DagLayout& layout, std::span<const std::size_t> shownChips, std::size_t cutEdge)
{
    const QRectF& label = layout.cutEdges[cutEdge].label;
    return !label.isEmpty() && (layout.hasRoomForChips || std::ranges::none_of(shownChips, [&](std::size_t chip) {
                                    return layout.chips[chip].rect.intersects(label);
                                }));
}

std::vector<SharedLine> shownLines(const DagContent& content, const DagLayout& layout, const DagDecorations& marks)
{
    std::vector<SharedLine> lines;
    const auto add = [&](std::size_t shared, std::size_t to) {
        if (const SharedLine line{shared, to}; std::ranges::find(lines, line) == lines.end())
            lines.push_back(line);
    };
    const auto addAll = [&](std::size_t shared) {
        if (content.shared[shared].from >= 0)
            for (const std::size_t to : content.shared[shared].to)
                add(shared, to);
    };
    for (const int index : {marks.chip, marks.hasFocus ? marks.currentChip : -1}) {
        const DagChip* chip = index < 0 ? nullptr : &layout.chips[static_cast<std::size_t>(index)];
        if (chip == nullptr || chip->shared < 0)
            continue;
        if (chip->leaves)
            addAll(static_cast<std::size_t>(chip->shared));
        else if (content.shared[static_cast<std::size_t>(chip->shared)].from >= 0)
            add(static_cast<std::size_t>(chip->shared), chip->box);
    }
    for (std::size_t shared = 0; shared < marks.selectedShared.size(); ++shared)
        if (marks.selectedShared[shared] != 0)
            addAll(shared);
    return lines;
}

int chipAt(const DagLayout& layout, const DagDecorations& marks, QPointF at)
{
    for (const std::size_t chip : shownChips(layout, marks))
        if (layout.chips[chip].rect.contains(at))
            return static_cast<int>(chip);
    return -1;
}

} // namespace sunder
