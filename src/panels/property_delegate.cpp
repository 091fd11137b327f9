#include "panels/property_delegate.h"

#include "models/inspector_model.h"
#include "models/tag_style_of.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace sunder {

void PropertyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto bars = index.data(InspectorModel::kBarsRole).value<QList<double>>();
    if (bars.isEmpty())
        return NameDelegate::paint(painter, option, index);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    const QStyle& style = cell.widget != nullptr ? *cell.widget->style() : *QApplication::style();
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const QRectF room = QRectF(style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget)).adjusted(2, 2, -2, -2);
    const double width = room.width() / static_cast<double>(bars.size());
    for (qsizetype i = 0; i < bars.size(); ++i) {
        const double height = bars[i] > 0 ? std::max(1.0, bars[i] * room.height()) : 0.0;
        const double gap = width > 3 ? 1 : 0;
        painter->fillRect(QRectF(room.left() + static_cast<double>(i) * width, room.bottom() - height, width - gap, height),
                          currentTheme().dim);
    }
}

} // namespace sunder

#include "moc_property_delegate.cpp"
