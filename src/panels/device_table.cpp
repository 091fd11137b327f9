#include "panels/device_table.h"

#include "models/device_model.h"
#include "models/tag_style_of.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

namespace sunder {
namespace {

bool isDigit(int key)
{
    return key >= Qt::Key_0 && key <= Qt::Key_9;
}

} // namespace

DeviceTable::DeviceTable(QWidget* parent) : QTreeView(parent) {}

void DeviceTable::setHint(const QString& hint)
{
    m_hint = hint;
    setAccessibleDescription(hint);
    viewport()->update();
}

void DeviceTable::setRefusal(CellRefusal::Refusal refusal)
{
    m_refusal = new CellRefusal(*this, std::move(refusal));
}

void DeviceTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    if (m_refusal == nullptr || !m_refusal->holds(editor, hint))
        QTreeView::closeEditor(editor, hint);
}

/// Returns the next visible, editable column; `wraps`: continues in the next row.
QModelIndex DeviceTable::beside(const QModelIndex& at, int by, bool wraps) const
{
    const int columns = model()->columnCount();
    int row = at.row();
    int column = at.column();
    do {
        column += by;
        if (wraps && (column < 0 || column >= columns)) {
            column = column < 0 ? columns - 1 : 0;
            row += by;
        }
        if (column < 0 || column >= columns || row < 0 || row >= model()->rowCount())
            return at;
    } while (isColumnHidden(column) || !model()->index(row, column).flags().testFlag(Qt::ItemIsEditable));
    return model()->index(row, column);
}

QModelIndex DeviceTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const QModelIndex at = currentIndex();
    if (!at.isValid())
        return QTreeView::moveCursor(action, modifiers);
    switch (action) {
    case MoveLeft: return beside(at, -1, false);
    case MoveRight: return beside(at, 1, false);
    case MovePrevious: return beside(at, -1, true);
    case MoveNext: return beside(at, 1, true);
    default: return QTreeView::moveCursor(action, modifiers);
    }
}

bool DeviceTable::startsEditing(const QKeyEvent& key) const
{
    const bool isPlain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!isPlain || state() == EditingState || !currentIndex().flags().testFlag(Qt::ItemIsEditable))
        return false;
    const int code = key.key();
    return code == Qt::Key_Return || code == Qt::Key_Enter || code == Qt::Key_F2
        || (isDigit(code) && currentIndex().column() != DeviceModel::NameColumn);
}

/// In the window, F2 renames a tag, and digits choose one.
bool DeviceTable::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && startsEditing(*static_cast<QKeyEvent*>(event)))
        event->accept();
    return QTreeView::event(event);
}

void DeviceTable::keyPressEvent(QKeyEvent* event)
{
    if (!startsEditing(*event)) {
        QTreeView::keyPressEvent(event);
        return;
    }
    edit(currentIndex());
    QWidget* editor = indexWidget(currentIndex());
    if (editor != nullptr && isDigit(event->key()))
        QCoreApplication::sendEvent(editor, event); // the editor has all text selected: the digit replaces it
}

void DeviceTable::paintEvent(QPaintEvent* event)
{
    QTreeView::paintEvent(event);
    const Theme& theme = currentTheme();
    QPainter painter(viewport());
    if (model() == nullptr || model()->rowCount() == 0) {
        painter.setPen(theme.dim);
        const int left = header()->isHidden() ? 4 : 11; // below the text of the header, or of the panel
        painter.drawText(viewport()->rect().adjusted(left, 4, -8, -4), Qt::TextWordWrap, m_hint);
    }
    if (!hasFocus() || !currentIndex().isValid()) // an empty table has its frame
        return;
    const QRectF ring(visualRect(currentIndex()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.selection, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(ring.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

} // namespace sunder

#include "moc_device_table.cpp"
