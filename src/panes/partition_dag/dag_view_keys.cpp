// The keyboard of a DagView: walking from box to handle to ribbon, picking, opening, folding.
#include "panes/partition_dag/dag_view.h"

#include <QKeyEvent>

#include <algorithm>

namespace sunder {

namespace {

DagPlace boxPlace(int index)
{
    return {DagPlace::Kind::box, index};
}

} // namespace

std::vector<int> DagView::ribbonsFrom(int box) const
{
    std::vector<int> found;
    for (std::size_t i = 0; i < m_content.ribbons.size(); ++i)
        if (static_cast<int>(m_content.ribbons[i].from) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

std::vector<int> DagView::ribbonsTo(int box) const
{
    std::vector<int> found;
    for (std::size_t i = 0; i < m_content.ribbons.size(); ++i)
        if (static_cast<int>(m_content.ribbons[i].to) == box)
            found.push_back(static_cast<int>(i));
    return found;
}

DagPlace DagView::firstRibbonFrom(int box) const
{
    const std::vector<int> ribbons = ribbonsFrom(box);
    return ribbons.empty() ? DagPlace() : DagPlace{DagPlace::Kind::ribbon, ribbons.front()};
}

DagPlace DagView::nextOfBox(int box, int key) const
{
    const int last = static_cast<int>(m_content.boxes.size()) - 1;
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        return boxPlace(std::clamp(box + (key == Qt::Key_Down ? 1 : -1), 0, last));
    if (key == Qt::Key_Left) {
        const std::vector<int> ribbons = ribbonsTo(box);
        return ribbons.empty() ? boxPlace(box) : DagPlace{DagPlace::Kind::ribbon, ribbons.front()};
    }
    const auto chip = std::ranges::find(m_layout.chips, static_cast<std::size_t>(box), &DagChip::box);
    if (chip != m_layout.chips.end())
        return {DagPlace::Kind::chip, static_cast<int>(chip - m_layout.chips.begin())};
    const DagPlace ribbon = firstRibbonFrom(box);
    return ribbon.kind == DagPlace::Kind::none ? boxPlace(box) : ribbon;
}

/// Chips of a box lie one behind the other in the layout: those that enter, then those that leave.
DagPlace DagView::nextOfChip(int index, int key) const
{
    const DagChip& chip = m_layout.chips[static_cast<std::size_t>(index)];
    const int box = static_cast<int>(chip.box);
    if (key == Qt::Key_Up || key == Qt::Key_Down) // at the upper edge the box is below, at the lower one it is above
        return chip.leaves == (key == Qt::Key_Up) ? boxPlace(box) : nextOfBox(box, key);
    const int to = index + (key == Qt::Key_Right ? 1 : -1);
    if (to >= 0 && to < static_cast<int>(m_layout.chips.size()) && m_layout.chips[static_cast<std::size_t>(to)].box == chip.box)
        return {DagPlace::Kind::chip, to};
    if (key == Qt::Key_Left)
        return boxPlace(box);
    const DagPlace ribbon = firstRibbonFrom(box);
    return ribbon.kind == DagPlace::Kind::none ? DagPlace{DagPlace::Kind::chip, index} : ribbon;
}

DagPlace DagView::nextOfRibbon(int index, int key) const
{
    const DagRibbon& ribbon = m_content.ribbons[static_cast<std::size_t>(index)];
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        return boxPlace(static_cast<int>(key == Qt::Key_Right ? ribbon.to : ribbon.from));
    const std::vector<int> siblings = ribbonsFrom(static_cast<int>(ribbon.from));
    const auto place = std::ranges::find(siblings, index) - siblings.begin() + (key == Qt::Key_Down ? 1 : -1);
    return {DagPlace::Kind::ribbon,
            siblings[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(siblings) - 1))]};
}

DagPlace DagView::next(int key) const
{
    const DagPlace at = current();
    const int last = static_cast<int>(m_content.boxes.size()) - 1;
    if (key == Qt::Key_Home || at.kind == DagPlace::Kind::none)
        return last >= 0 ? boxPlace(0) : DagPlace();
    if (key == Qt::Key_End)
        return boxPlace(last);
    switch (at.kind) {
    case DagPlace::Kind::box: return nextOfBox(at.index, key);
    case DagPlace::Kind::chip: return nextOfChip(at.index, key);
    default: return nextOfRibbon(at.index, key);
    }
}

void DagView::keyPressEvent(QKeyEvent* event)
{
    const auto step = [&](DagPlace place) {
        setCurrent(place);
        ensureShown(place);
    };
    const bool plain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
        if (plain) {
            step(next(event->key()));
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (plain && current().kind != DagPlace::Kind::none) {
            emit activated(current());
            return;
        }
        break;
    case Qt::Key_Escape:
        if (const int box = boxOf(current()); box >= 0) {
            setCurrent(boxPlace(box));
            if (m_layout.isUnfolded(static_cast<std::size_t>(box)))
                emit foldRequested(box, false);
        }
        return;
    default: break;
    }
    if (m_view.keyPressed(*event))
        updateCursor();
    else
        event->ignore(); // QAbstractScrollArea would scroll
}

/// Held, Space is the hand's; pressed and let go, it picks.
void DagView::keyReleaseEvent(QKeyEvent* event)
{
    const bool picks = m_view.keyReleased(*event);
    updateCursor();
    if (picks && current().kind != DagPlace::Kind::none)
        emit picked(current(), modeOf(event->modifiers()));
}

} // namespace sunder
