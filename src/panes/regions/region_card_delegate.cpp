#include "panes/regions/region_card_delegate.h"

#include "models/tag_style_of.h"
#include "panes/regions/region_card_model.h"
#include "text/elided_name.h"

#include <QPainter>

namespace sunder {
namespace {

constexpr int kPadding = 8;
constexpr int kGapBelowCard = 8; ///< between cards
constexpr double kRadius = 5;

QFont titleFont(const QStyleOptionViewItem& option)
{
    QFont font = option.font;
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

void RegionCardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -kGapBelowCard + 0.5);
    const QColor fill = isSelected ? mixed(theme.panel, theme.selection, 0.12) : theme.panel;
    const bool isFocused = isSelected && option.state.testFlag(QStyle::State_HasFocus);
    painter->setPen(QPen(isSelected                                           ? theme.selection
                             : option.state.testFlag(QStyle::State_MouseOver) ? theme.faint
                                                                              : theme.line,
                         isFocused ? 2 : 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(card, kRadius, kRadius);

    QRect row = option.rect.adjusted(kPadding, kPadding - 2, -kPadding, 0);
    const auto line = [&](const QString& text, const QFont& font, const QColor& color) {
        const QFontMetrics metrics(font);
        row.setHeight(metrics.height());
        painter->setFont(font);
        painter->setPen(readable(color, fill));
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, elidedWords(text, QFontMetricsF(font), row.width()));
        row.translate(0, metrics.height() + 2);
    };
    painter->setFont(option.font); // its length is to the right of its name
    painter->setPen(readable(theme.dim, fill));
    painter->drawText(QRect(row.topLeft(), QSize(row.width(), QFontMetrics(titleFont(option)).height())),
                      Qt::AlignRight | Qt::AlignVCenter, index.data(RegionCardModel::OpsRole).toString());
    line(index.data().toString(), titleFont(option), theme.text);
    line(index.data(RegionCardModel::DetailRole).toString(), option.font, theme.dim);
    if (const QString weight = index.data(RegionCardModel::WeightRole).toString(); !weight.isEmpty())
        line(weight, option.font, theme.dim);
    painter->restore();
}

QSize RegionCardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int lines = index.data(RegionCardModel::WeightRole).toString().isEmpty() ? 1 : 2;
    return {120,
            QFontMetrics(titleFont(option)).height() + 2 + lines * (option.fontMetrics.height() + 2) + 2 * kPadding - 4
                + kGapBelowCard};
}

} // namespace sunder

#include "moc_region_card_delegate.cpp"
