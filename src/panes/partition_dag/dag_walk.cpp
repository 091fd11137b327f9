#include "panes/partition_dag/dag_walk.h"

#include <qnamespace.h>

#include <algorithm>

namespace sunder {
namespace {

DagHit boxPlace(int index)
{
    return {DagHit::Kind::box, index};
}

std::vector<int> cutEdgesFrom(const DagContent& content, int box)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < content.cutEdges.size(); ++i)
        if (static_cast<int>(content.cutEdges[i].from) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

std::vector<int> cutEdgesTo(const DagContent& content, int box)
{
    std::vector<int> found;
    for (std::size_t i = 0; i < content.cutEdges.size(); ++i)
        if (static_cast<int>(content.cutEdges[i].to) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

DagHit firstCutEdgeFrom(const DagContent& content, int box)
{
    const std::vector<int> cutEdges = cutEdgesFrom(content, box);
    return cutEdges.empty() ? DagHit() : DagHit{DagHit::Kind::cutEdge, cutEdges.front()};
}

DagHit nextOfBox(const DagContent& content, const DagLayout& layout, int box, int key)
{
    const int last = static_cast<int>(content.boxes.size()) - 1;
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        return boxPlace(std::clamp(box + (key == Qt::Key_Down ? 1 : -1), 0, last));
    if (key == Qt::Key_Left) {
        const std::vector<int> cutEdges = cutEdgesTo(content, box);
        return cutEdges.empty() ? boxPlace(box) : DagHit{DagHit::Kind::cutEdge, cutEdges.front()};
    }
    const auto chip = std::ranges::find(layout.chips, static_cast<std::size_t>(box), &DagChip::box);
    if (chip != layout.chips.end())
        return {DagHit::Kind::chip, static_cast<int>(chip - layout.chips.begin())};
    const DagHit cutEdge = firstCutEdgeFrom(content, box);
    return cutEdge.kind == DagHit::Kind::none ? boxPlace(box) : cutEdge;
}

/// The chips of a box are contiguous in the layout: entering handles, leaving handles, shared values.
DagHit nextOfChip(const DagContent& content, const DagLayout& layout, int index, int key)
{
    const DagChip& chip = layout.chips[static_cast<std::size_t>(index)];
    const int box = static_cast<int>(chip.box);
    if (chip.isBeside && (key == Qt::Key_Up || key == Qt::Key_Down))
        return nextOfBox(content, layout, box, key);
    if (key == Qt::Key_Up || key == Qt::Key_Down) // from the upper edge, Down leads to the box; from the lower edge, Up does
        return chip.leaves == (key == Qt::Key_Up) ? boxPlace(box) : nextOfBox(content, layout, box, key);
    const int to = index + (key == Qt::Key_Right ? 1 : -1);
    if (to >= 0 && to < static_cast<int>(layout.chips.size()) && layout.chips[static_cast<std::size_t>(to)].box == chip.box)
        return {DagHit::Kind::chip, to};
    if (key == Qt::Key_Left)
        return boxPlace(box);
    const DagHit cutEdge = firstCutEdgeFrom(content, box);
    return cutEdge.kind == DagHit::Kind::none ? DagHit{DagHit::Kind::chip, index} : cutEdge;
}

DagHit nextOfCutEdge(const DagContent& content, int index, int key)
{
    const DagCutEdge& cutEdge = content.cutEdges[static_cast<std::size_t>(index)];
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        return boxPlace(static_cast<int>(key == Qt::Key_Right ? cutEdge.to : cutEdge.from));
    const std::vector<int> siblings = cutEdgesFrom(content, static_cast<int>(cutEdge.from));
    const auto place = std::ranges::find(siblings, index) - siblings.begin() + (key == Qt::Key_Down ? 1 : -1);
    return {DagHit::Kind::cutEdge,
            siblings[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(siblings) - 1))]};
}

} // namespace

DagHit walk(const DagContent& content, const DagLayout& layout, DagHit from, int key)
{
    const int last = static_cast<int>(content.boxes.size()) - 1;
    if (key == Qt::Key_Home || from.kind == DagHit::Kind::none)
        return last >= 0 ? boxPlace(0) : DagHit();
    if (key == Qt::Key_End)
        return boxPlace(last);
    switch (from.kind) {
    case DagHit::Kind::box: return nextOfBox(content, layout, from.index, key);
    case DagHit::Kind::chip: return nextOfChip(content, layout, from.index, key);
    default: return nextOfCutEdge(content, from.index, key);
    }
}

} // namespace sunder
