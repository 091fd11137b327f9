#include "panels/tag_list_view.h"

#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "panels/tag_delegate.h"

#include <QDrag>
#include <QDragMoveEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace sunder {

TagListView::TagListView(QWidget* parent) : QListView(parent)
{
    setDropIndicatorShown(false); // paintEvent() draws a line that is visible in every style
}

TagListView::Mark TagListView::markAt(const QPoint& at) const
{
    const QModelIndex index = indexAt(at);
    if (!index.isValid() || index.data(TagModel::UntaggedRole).toBool())
        return Mark::none;
    constexpr int kReach = 3; // tolerance, because the marks are small
    const auto isOn = [&](const QRect& mark) { return mark.adjusted(-kReach, -kReach, kReach, kReach).contains(at); };
    const QRect row = visualRect(index);
    // The color of an inactive tag belongs to its row: the first click activates the tag.
    if (isOn(TagDelegate::swatch(row)) && index.data(TagModel::ActiveRole).toBool())
        return Mark::swatch;
    return isOn(TagDelegate::eye(row)) ? Mark::eye : isOn(TagDelegate::lock(row)) ? Mark::lock : Mark::none;
}

void TagListView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? markAt(event->pos()) : Mark::none;
    if (m_pressed == Mark::none)
        QListView::mousePressEvent(event);
}

void TagListView::mouseReleaseEvent(QMouseEvent* event)
{
    const Mark pressed = std::exchange(m_pressed, Mark::none);
    if (pressed == Mark::none) {
        QListView::mouseReleaseEvent(event);
        return;
    }
    if (markAt(event->pos()) != pressed)
        return; // releasing elsewhere cancels
    const int row = indexAt(event->pos()).row();
    switch (pressed) {
    case Mark::swatch: emit swatchClicked(row); break;
    case Mark::lock: emit lockClicked(row); break;
    case Mark::eye: emit eyeClicked(row, event->modifiers().testFlag(Qt::AltModifier)); break;
    case Mark::none: break;
    }
}

/// A double click on a mark is two clicks, and does not start renaming.
void TagListView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (markAt(event->pos()) == Mark::none)
        QListView::mouseDoubleClickEvent(event);
    else
        mousePressEvent(event);
}

/// Drags a square in the tag's color, because an image of the row would cover the drop line.
void TagListView::startDrag(Qt::DropActions actions)
{
    constexpr int kSide = 14;
    const QModelIndex row = currentIndex();
    if (!row.isValid() || row.data(TagModel::UntaggedRole).toBool())
        return;
    QPixmap square(kSide, kSide);
    square.fill(row.data(Qt::DecorationRole).value<QColor>());
    auto* drag = new QDrag(this);
    drag->setMimeData(model()->mimeData({row}));
    drag->setPixmap(square);
    drag->setHotSpot({-kSide, -kSide});
    drag->exec(actions, Qt::MoveAction);
}

void TagListView::dragMoveEvent(QDragMoveEvent* event)
{
    QListView::dragMoveEvent(event);
    m_dragged = event->position().toPoint();
    viewport()->update();
}

int TagListView::gapAt(const QPoint& at) const
{
    const QModelIndex over = indexAt(at);
    const QRect row = over.isValid() ? visualRect(over) : visualRect(model()->index(model()->rowCount() - 1, 0));
    if (!over.isValid() || over.data(TagModel::UntaggedRole).toBool())
        return row.top(); // after the last tag
    // The rule of the drop. dropIndicatorPosition() is only updated if the style's own indicator is shown.
    return at.y() < row.center().y() ? row.top() : row.bottom() + 1;
}

void TagListView::paintEvent(QPaintEvent* event)
{
    QListView::paintEvent(event);
    if (state() != QAbstractItemView::DraggingState)
        return;
    const int line = gapAt(m_dragged);
    QPainter painter(viewport());
    painter.fillRect(QRect(4, std::max(0, line - 1), viewport()->width() - 8, 2), currentTheme().selection);
}

void TagListView::setRefusal(CellRefusal::Refusal refusal)
{
    m_refusal = new CellRefusal(*this, std::move(refusal));
}

void TagListView::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    if (m_refusal == nullptr || !m_refusal->holds(editor, hint))
        QListView::closeEditor(editor, hint);
}

} // namespace sunder

#include "moc_tag_list_view.cpp"
