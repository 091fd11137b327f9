#include "models/row_delegate.h"

#include "models/tag_style_of.h"
#include "text/elided_name.h"

#include <QPainter>

#include <algorithm>

namespace sunder {

void paintRowFocus(QPainter& painter, const QRect& row)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(currentTheme().selection);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(row).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    painter.restore();
}

void paintBar(QPainter& painter, const QRectF& bar, double share, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(currentTheme().soft);
    painter.drawRoundedRect(bar, 2, 2);
    if (share > 0) {
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(share * bar.width(), bar.height())), 2, 2);
    }
    painter.restore();
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    Row row{*painter, option, groundOf(option, index), option.rect, {}};
    paintGround(row);
    row.setFont(option.font);
    paintContent(row, index);
    painter->restore();
}

QColor RowDelegate::groundOf(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return rowGround(currentTheme(), option.state.testFlag(QStyle::State_Selected),
                     option.state.testFlag(QStyle::State_MouseOver) || isLit(index));
}

void RowDelegate::paintGround(Row& row) const
{
    if (row.ground != currentTheme().panel) // the view has that color
        row.painter.fillRect(row.option.rect, row.ground);
    if (row.option.state.testFlag(QStyle::State_HasFocus))
        paintRowFocus(row.painter, row.option.rect);
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
