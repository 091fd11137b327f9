#include "panels/outline_delegate.h"

#include "document/text.h"
#include "models/outline_model.h"
#include "models/tag_strip.h"
#include "models/tag_style_of.h"
#include "support/format.h"
#include "text/elided_name.h"

#include <QApplication>

namespace sunder {
namespace {
constexpr int kStripWidth = 34;
constexpr int kOutlineRow = 22;
} // namespace

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    QStyleOptionViewItem background = option;
    background.text.clear();
    QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter, option.widget);

    const auto kind = static_cast<OutlineTree::Kind>(index.data(OutlineModel::KindRole).toInt());
    const bool holdsRows = kind == OutlineTree::Kind::module || kind == OutlineTree::Kind::group;
    QRect row = option.rect.adjusted(2, 0, -10, 0);
    const QRectF strip(row.right() - kStripWidth, row.center().y() - 3, kStripWidth, 7);
    const auto shares = index.data(OutlineModel::SharesRole).value<TagShares>();
    if (!shares.empty())
        paintTagStrip(*painter, holdsRows ? strip : strip.adjusted(kStripWidth - 7, 0, 0, 0), shares, m_model.looks(theme),
                      theme);
    row.setRight(static_cast<int>(strip.left()) - 8);

    painter->setFont(option.font);
    if (holdsRows) {
        const QString count = text(formatCount(index.data(OutlineModel::CountRole).toUInt()));
        painter->setPen(theme.dim);
        painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, count);
        row.setRight(row.right() - option.fontMetrics.horizontalAdvance(count) - 8);
    }
    const QString name = elidedName(index.data().toString(), QFontMetricsF(option.font), row.width(), namesBeside(index));
    painter->setPen(kind == OutlineTree::Kind::parameter ? theme.dim : theme.text);
    painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, name);
    row.setLeft(row.left() + option.fontMetrics.horizontalAdvance(name) + 6);
    if (row.width() > 24) {
        painter->setPen(theme.dim);
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                          elidedName(index.data(OutlineModel::ClassRole).toString(), QFontMetricsF(option.font), row.width()));
    }
    painter->restore();
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, std::max(kOutlineRow, option.fontMetrics.height() + 4)};
}

} // namespace sunder

#include "moc_outline_delegate.cpp"
