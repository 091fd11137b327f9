#include "models/name_delegate.h"

#include "text/elided_name.h"

#include <QApplication>
#include <QFontMetricsF>

#include <algorithm>

namespace sunder {
namespace {

/// "4 ops", "×4 of 9 ops", "−1.2 kB"
bool startsWithFigure(const QString& text)
{
    constexpr QStringView kSigns = u"×+-−±≤≥~≈";
    const auto first = std::ranges::find_if(text, [&](QChar c) { return !kSigns.contains(c); });
    return first != text.end() && first->isDigit();
}

} // namespace

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle& style = cell.widget != nullptr ? *cell.widget->style() : *QApplication::style();
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1;
    const double room = style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget).width() - 2.0 * margin;
    const QFontMetricsF metrics(cell.font);
    cell.textElideMode = Qt::ElideNone;
    const bool isFigures = cell.displayAlignment.testFlag(Qt::AlignRight) || startsWithFigure(cell.text)
        || cell.text.contains(u'[') || cell.text.contains(QStringLiteral(" · "));
    cell.text = isFigures ? elidedWords(cell.text, metrics, room) : elidedName(cell.text, metrics, room, namesBeside(index));
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

} // namespace sunder

#include "moc_name_delegate.cpp"
