#include "panels/tag_delegate.h"

#include "document/text.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/amounts.h"
#include "text/elided_name.h"

#include <QLineEdit>
#include <QPainter>

namespace sunder {
namespace {

constexpr int kTagRow = 24;
constexpr int kCodeLeft = 42;
constexpr int kNameLeft = 66; ///< from the row's left: handle, colour and code stand before it
constexpr int kOpsRight = 74; ///< from the row's right: bytes stand behind it

} // namespace

QRect TagDelegate::swatch(const QRect& row)
{
    return {row.left() + 24, row.center().y() - 5, 12, 12};
}

void TagDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const QRect row = option.rect;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QString ops = countText(index.data(TagModel::OpsRole).toULongLong(), "op");
    const QRect opsRect(row.right() - kOpsRight - 70, row.top(), 70, row.height());

    if (index.data(TagModel::UntaggedRole).toBool()) {
        const bool any = index.data(TagModel::OpsRole).toULongLong() > 0;
        if (option.state & QStyle::State_MouseOver)
            painter->fillRect(row, theme.soft);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        const bool isMissing = index.data(TagModel::MissingRole).toBool();
        painter->setPen(isMissing ? theme.error : theme.dim);
        painter->setFont(isMissing ? bold : option.font);
        painter->drawText(row.adjusted(24, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->setFont(option.font);
        painter->drawText(opsRect, Qt::AlignRight | Qt::AlignVCenter, ops);
        painter->setPen(theme.dim);
        if (any)
            painter->drawText(row.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, tr("N: next"));
        painter->restore();
        return;
    }

    const TagLook look = tagLooksOf(m_document, theme)[static_cast<std::size_t>(index.row())];
    const QColor ground = index.data(TagModel::ActiveRole).toBool()
        ? activeRow(theme, look.style.color)
        : rowGround(theme, false, option.state.testFlag(QStyle::State_MouseOver));
    painter->fillRect(row, ground);
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(theme.selection);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(row).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    }
    paintIcon(*painter, QStringLiteral("grip"), QRectF(row.left() + 6, row.center().y() - 6, 13, 13), theme.faint);
    painter->setPen(m_isHollow ? QPen(look.style.color, 1.5) : QPen(Qt::NoPen));
    painter->setBrush(m_isHollow ? QBrush(Qt::NoBrush) : tagBrush(look.style, theme));
    painter->drawRoundedRect(QRectF(swatch(row)).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);

    QFont bold = option.font;
    bold.setWeight(QFont::Bold);
    painter->setFont(bold);
    painter->setPen(readable(look.style.color, ground));
    painter->drawText(row.adjusted(kCodeLeft, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, look.code);
    painter->setFont(option.font);
    painter->setPen(theme.text);
    // The name comes first: where there is no room for it, the ops go, then the bytes.
    const QString bytes = bytesText(index.data(TagModel::BytesRole).toULongLong());
    const int wanted = option.fontMetrics.horizontalAdvance(look.name);
    const int left = std::max(kNameLeft, kCodeLeft + QFontMetrics(bold).horizontalAdvance(look.code) + 6);
    const auto roomBeside = [&](int figures) { return row.width() - left - figures - 8; };
    const int bytesWidth = 12 + option.fontMetrics.horizontalAdvance(bytes);
    const int bothWidth = kOpsRight + option.fontMetrics.horizontalAdvance(ops);
    const bool hasOps = wanted <= roomBeside(bothWidth);
    const bool hasBytes = hasOps || wanted <= roomBeside(bytesWidth);
    const int room = roomBeside(hasOps ? bothWidth : hasBytes ? bytesWidth : 0);
    painter->drawText(row.adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      elidedName(look.name, QFontMetricsF(option.font), room, namesBeside(index)));
    painter->setPen(theme.dim);
    if (hasOps)
        painter->drawText(opsRect, Qt::AlignRight | Qt::AlignVCenter, ops);
    if (hasBytes)
        painter->drawText(row.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, bytes);
    painter->restore();
}

QSize TagDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, std::max(kTagRow, option.fontMetrics.height() + 6)};
}

QWidget* TagDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto* editor = new QLineEdit(parent);
    editor->setAccessibleName(tr("Name of the tag"));
    editor->setStyleSheet(QStringLiteral("padding: 0 2px; border-radius: 3px;"));
    return editor;
}

void TagDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const
{
    editor->setGeometry(option.rect.adjusted(kNameLeft - 4, 1, -8, -1));
}

} // namespace sunder
