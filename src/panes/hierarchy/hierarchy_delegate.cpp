#include "panes/hierarchy/hierarchy_delegate.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/hierarchy/hierarchy_model.h"
#include "support/format.h"
#include "text/elided_name.h"

#include <QApplication>
#include <QPainter>

namespace sunder {
namespace {
constexpr int kModuleRow = 22;
} // namespace

void HierarchyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    QStyleOptionViewItem background = option;
    background.text.clear();
    QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter, option.widget);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QColor ground = isSelected ? selectedRow(theme) : theme.panel;
    const QColor dim = readable(theme.dim, ground);

    QRect row = option.rect.adjusted(2, 0, -8, 0);
    painter->setFont(option.font);
    QString count = text(formatCount(index.data(HierarchyModel::OpsRole).toULongLong()));
    if (const uint calls = index.data(HierarchyModel::CallsRole).toUInt(); calls > 1)
        count.prepend(QStringLiteral("×%1  ").arg(calls));
    painter->setPen(dim);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, count);
    row.setRight(row.right() - option.fontMetrics.horizontalAdvance(count) - 8);

    QFont font = option.font;
    if (index.data(HierarchyModel::MatchRole).toBool())
        font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    painter->setFont(font);
    painter->setPen(readable(theme.text, ground));
    const QString name = elidedName(index.data().toString(), QFontMetricsF(font), row.width(), namesBeside(index));
    painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, name);
    row.setLeft(row.left() + metrics.horizontalAdvance(name) + 6);
    if (row.width() > 24) {
        painter->setFont(option.font);
        painter->setPen(dim);
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                          elidedName(index.data(HierarchyModel::ClassRole).toString(), QFontMetricsF(option.font), row.width()));
    }
    painter->restore();
}

QSize HierarchyDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, std::max(kModuleRow, option.fontMetrics.height() + 4)};
}

} // namespace sunder

#include "moc_hierarchy_delegate.cpp"
