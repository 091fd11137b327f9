#include "models/row_delegate.h"

#include "models/tag_style_of.h"
#include "text/elided_name.h"

#include <QPainter>

#include <algorithm>

namespace sunder {

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const bool isHovered = option.state.testFlag(QStyle::State_MouseOver) || isLit(index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    Row row{*painter, option, rowGround(theme, isSelected, isHovered), option.rect, {}};
    if (isSelected || isHovered)
        painter->fillRect(option.rect, row.ground);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(theme.selection);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    }
    row.setFont(option.font);
    paintContent(row, index);
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, std::max(m_height, option.fontMetrics.height() + m_around)};
}

void RowDelegate::Row::setFont(const QFont& of)
{
    font = of;
    painter.setFont(font);
}

QString RowDelegate::Row::name(const QModelIndex& index, int role, double room) const
{
    return elidedName(index.data(role).toString(), QFontMetricsF(font), room, namesBeside(index, role));
}

void RowDelegate::Row::paintDetail(const QModelIndex& index, int role, const QColor& color)
{
    const QString detail = name(index, role, rest.width());
    if (std::ranges::any_of(detail, [](QChar c) { return c.isLetterOrNumber(); }))
        paintLeft(detail, color);
}

void RowDelegate::Row::paintLeft(const QString& text, const QColor& color, int gap)
{
    painter.setPen(readable(color, ground));
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, text);
    rest.setLeft(rest.left() + QFontMetrics(font).horizontalAdvance(text) + gap);
}

void RowDelegate::Row::paintRight(const QString& text, const QColor& color, int gap)
{
    painter.setPen(readable(color, ground));
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, text);
    rest.setRight(rest.right() - QFontMetrics(font).horizontalAdvance(text) - gap);
}

void RowDelegate::Row::paintWords(const QString& words, const QColor& color)
{
    paintLeft(elidedWords(words, QFontMetricsF(font), rest.width()), color);
}

} // namespace sunder
