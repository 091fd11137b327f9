#include "models/name_delegate.h"

#include "text/elided_name.h"

#include <QApplication>
#include <QFontMetricsF>

namespace sunder {

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle& style = cell.widget != nullptr ? *cell.widget->style() : *QApplication::style();
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1;
    const double room = style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget).width() - 2.0 * margin;
    const QFontMetricsF metrics(cell.font);
    cell.textElideMode = Qt::ElideNone;
    const bool isFigures = cell.displayAlignment.testFlag(Qt::AlignRight) || cell.text.contains(u'[')
        || cell.text.contains(QStringLiteral(" · ")) || (!cell.text.isEmpty() && cell.text.front().isDigit());
    cell.text = isFigures ? elidedWords(cell.text, metrics, room) : elidedName(cell.text, metrics, room, namesBeside(index));
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

} // namespace sunder

#include "moc_name_delegate.cpp"
