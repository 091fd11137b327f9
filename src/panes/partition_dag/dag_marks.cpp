#include "panes/partition_dag/dag_marks.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace sunder {
namespace {

/// The box of either: of the mouse or of the keyboard.
int boxOf(const DagLayout& layout, int box, int chip)
{
    return chip >= 0 ? static_cast<int>(layout.chips[static_cast<std::size_t>(chip)].box) : box;
}

std::vector<std::size_t> chipsOfBox(const DagLayout& layout, int box)
{
    if (box < 0)
        return {};
    const auto found = std::ranges::equal_range(layout.chips, static_cast<std::size_t>(box), {}, &DagChip::box);
    std::vector<std::size_t> chips(found.size());
    std::iota(chips.begin(), chips.end(), static_cast<std::size_t>(found.begin() - layout.chips.begin()));
    return chips;
}

DagPlace placeOf(int box, int ribbon, int chip)
{
    if (ribbon >= 0)
        return {DagPlace::Kind::ribbon, ribbon};
    if (chip >= 0)
        return {DagPlace::Kind::chip, chip};
    return box >= 0 ? DagPlace{DagPlace::Kind::box, box} : DagPlace();
}

int indexIf(DagPlace place, DagPlace::Kind kind)
{
    return place.kind == kind ? place.index : -1;
}

} // namespace

DagMarks::DagMarks(const DagContent& content)
    : selectedOps(content.boxes.size(), 0), hoveredBoxes(content.boxes.size(), 0), selectedHandles(content.handles.size(), 0)
{
}

DagPlace DagMarks::current() const
{
    return placeOf(currentBox, currentRibbon, currentChip);
}

void DagMarks::setCurrent(DagPlace place)
{
    currentBox = indexIf(place, DagPlace::Kind::box);
    currentRibbon = indexIf(place, DagPlace::Kind::ribbon);
    currentChip = indexIf(place, DagPlace::Kind::chip);
}

DagPlace DagMarks::pointed() const
{
    return placeOf(box, ribbon, chip);
}

void DagMarks::setPointed(DagPlace place)
{
    box = indexIf(place, DagPlace::Kind::box);
    ribbon = indexIf(place, DagPlace::Kind::ribbon);
    chip = indexIf(place, DagPlace::Kind::chip);
}

std::vector<std::size_t> shownChips(const DagLayout& layout, const DagMarks& marks)
{
    if (layout.hasRoomForChips) {
        std::vector<std::size_t> all(layout.chips.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        return all;
    }
    const int current = boxOf(layout, marks.currentBox, marks.currentChip);
    const int pointed = boxOf(layout, marks.box, marks.chip);
    const bool areTiny = !layout.chips.empty() && layout.chips.front().rect.height() * DagLayout::kReadable > DagChip::kHeight;
    const std::vector<std::size_t> over = pointed == current || areTiny ? std::vector<std::size_t>()
                                                                        : chipsOfBox(layout, pointed);
    std::vector<std::size_t> shown = chipsOfBox(layout, current);
    std::erase_if(shown, [&](std::size_t chip) { // neighbours share the gap between them
        return std::ranges::any_of(
            over, [&](std::size_t other) { return layout.chips[other].rect.intersects(layout.chips[chip].rect); });
    });
    shown.insert(shown.end(), over.begin(), over.end());
    return shown;
}

int chipAt(const DagLayout& layout, const DagMarks& marks, QPointF at)
{
    for (const std::size_t chip : shownChips(layout, marks))
        if (layout.chips[chip].rect.contains(at))
            return static_cast<int>(chip);
    return -1;
}

} // namespace sunder
