#include "panels/cell_refusal.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QLineEdit>

#include <algorithm>

namespace sunder {

CellRefusal::CellRefusal(QAbstractItemView& view, Refusal refusal) : QLabel(&view), m_view(view), m_refusal(std::move(refusal))
{
    setObjectName(QStringLiteral("cellRefusal"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

bool CellRefusal::holds(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    auto* line = qobject_cast<QLineEdit*>(editor);
    const QModelIndex cell = line == nullptr ? QModelIndex() : m_view.indexAt(line->geometry().center());
    if (hint == QAbstractItemDelegate::RevertModelCache || !cell.isValid() || !line->isVisible()) {
        hide();
        return false;
    }
    const QString why = m_refusal(cell, line->text());
    if (why.isEmpty()) {
        hide();
        return false;
    }
    say(why, *line);
    connect(line, &QLineEdit::textEdited, this, &QWidget::hide);
    connect(line, &QObject::destroyed, this, &QWidget::hide);
    return true;
}

/// The label is a child of the window, because the view may be only a row high.
void CellRefusal::say(const QString& why, QWidget& editor)
{
    constexpr int kWidest = 320;
    constexpr int kMargin = 8;
    QWidget& window = *m_view.window();
    setParent(&window);
    setText(why);
    setFixedWidth(std::min(kWidest, window.width() - 2 * kMargin));
    setFixedHeight(heightForWidth(width()));
    QPoint at = editor.mapTo(&window, QPoint(0, editor.height() + 2));
    if (at.y() + height() > window.height())
        at.setY(editor.mapTo(&window, QPoint()).y() - height() - 2);
    at.setX(std::clamp(at.x(), kMargin, std::max(kMargin, window.width() - width() - kMargin)));
    move(at);
    show();
    raise();
    editor.setAccessibleDescription(why);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace sunder

#include "moc_cell_refusal.cpp"
