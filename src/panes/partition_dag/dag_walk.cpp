#include "panes/partition_dag/dag_walk.h"

#include <qnamespace.h>

#include <algorithm>

namespace sunder {
namespace {

DagPlace boxPlace(int index)
{
    return {DagPlace::Kind::box, index};
}

std::vector<int> ribbonsFrom(const DagContent& content, int box)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < content.ribbons.size(); ++i)
        if (static_cast<int>(content.ribbons[i].from) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

std::vector<int> ribbonsTo(const DagContent& content, int box)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < content.ribbons.size(); ++i)
        if (static_cast<int>(content.ribbons[i].to) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

DagPlace firstRibbonFrom(const DagContent& content, int box)
{
    const std::vector<int> ribbons = ribbonsFrom(content, box);
    return ribbons.empty() ? DagPlace() : DagPlace{DagPlace::Kind::ribbon, ribbons.front()};
}

DagPlace nextOfBox(const DagContent& content, const DagLayout& layout, int box, int key)
{
    const int last = static_cast<int>(content.boxes.size()) - 1;
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        return boxPlace(std::clamp(box + (key == Qt::Key_Down ? 1 : -1), 0, last));
    if (key == Qt::Key_Left) {
        const std::vector<int> ribbons = ribbonsTo(content, box);
        return ribbons.empty() ? boxPlace(box) : DagPlace{DagPlace::Kind::ribbon, ribbons.front()};
    }
    const auto chip = std::ranges::find(layout.chips, static_cast<std::size_t>(box), &DagChip::box);
    if (chip != layout.chips.end())
        return {DagPlace::Kind::chip, static_cast<int>(chip - layout.chips.begin())};
    const DagPlace ribbon = firstRibbonFrom(content, box);
    return ribbon.kind == DagPlace::Kind::none ? boxPlace(box) : ribbon;
}

/// The chips of a box are contiguous in the layout: entering handles, leaving handles, shared values.
DagPlace nextOfChip(const DagContent& content, const DagLayout& layout, int index, int key)
{
    const DagChip& chip = layout.chips[static_cast<std::size_t>(index)];
    const int box = static_cast<int>(chip.box);
    if (chip.isBeside && (key == Qt::Key_Up || key == Qt::Key_Down))
        return nextOfBox(content, layout, box, key);
    if (key == Qt::Key_Up || key == Qt::Key_Down) // from the upper edge, Down leads to the box; from the lower edge, Up does
        return chip.leaves == (key == Qt::Key_Up) ? boxPlace(box) : nextOfBox(content, layout, box, key);
    const int to = index + (key == Qt::Key_Right ? 1 : -1);
    if (to >= 0 && to < static_cast<int>(layout.chips.size()) && layout.chips[static_cast<std::size_t>(to)].box == chip.box)
        return {DagPlace::Kind::chip, to};
    if (key == Qt::Key_Left)
        return boxPlace(box);
    const DagPlace ribbon = firstRibbonFrom(content, box);
    return ribbon.kind == DagPlace::Kind::none ? DagPlace{DagPlace::Kind::chip, index} : ribbon;
}

DagPlace nextOfRibbon(const DagContent& content, int index, int key)
{
    const DagRibbon& ribbon = content.ribbons[static_cast<std::size_t>(index)];
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        return boxPlace(static_cast<int>(key == Qt::Key_Right ? ribbon.to : ribbon.from));
    const std::vector<int> siblings = ribbonsFrom(content, static_cast<int>(ribbon.from));
    const auto place = std::ranges::find(siblings, index) - siblings.begin() + (key == Qt::Key_Down ? 1 : -1);
    return {DagPlace::Kind::ribbon,
            siblings[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(siblings) - 1))]};
}

} // namespace

DagPlace walk(const DagContent& content, const DagLayout& layout, DagPlace from, int key)
{
    const int last = static_cast<int>(content.boxes.size()) - 1;
    if (key == Qt::Key_Home || from.kind == DagPlace::Kind::none)
        return last >= 0 ? boxPlace(0) : DagPlace();
    if (key == Qt::Key_End)
        return boxPlace(last);
    switch (from.kind) {
    case DagPlace::Kind::box: return nextOfBox(content, layout, from.index, key);
    case DagPlace::Kind::chip: return nextOfChip(content, layout, from.index, key);
    default: return nextOfRibbon(content, from.index, key);
    }
}

} // namespace sunder
