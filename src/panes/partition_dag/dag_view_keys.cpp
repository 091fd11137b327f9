// The keyboard of a DagView: walking, picking, opening, folding.
#include "panes/partition_dag/dag_view.h"

#include "panes/partition_dag/dag_walk.h"

#include <QKeyEvent>

namespace sunder {

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
            step(walk(m_content, m_layout, current(), event->key()));
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
            setCurrent({DagPlace::Kind::box, box});
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
