#include "panes/regions/rail_delegate.h"

#include "models/tag_strip.h"
#include "models/tag_style_of.h"
#include "panes/regions/occurrence_model.h"

#include <QAbstractItemView>

#include <algorithm>

namespace sunder {
namespace {
constexpr int kSmallest = 4; ///< pixels per bar; more occurrences than fit are scrolled
constexpr int kLargest = 12;
} // namespace

void RailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    const int gap = option.rect.height() > 6 ? 2 : 1;
    const QRectF bar = QRectF(option.rect).adjusted(6, 0, -6, -gap);
    const auto shares = index.data(OccurrenceModel::SharesRole).value<TagShares>();
    const bool isTagged = std::any_of(shares.begin(), shares.end(), [](const TagShare& share) { return share.tag >= 0; });
    if (isTagged)
        paintTagStrip(*painter, bar, shares, shownLooksOf(m_document, theme), theme);
    else
        painter->fillRect(bar, mixed(theme.canvas, theme.faint, 0.5));
    painter->setBrush(Qt::NoBrush);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(QPen(theme.selection, 2));
        painter->drawRect(bar.adjusted(-3, 1, 3, -1)); // within the row, so that adjacent rows do not paint over it
    } else if (option.state.testFlag(QStyle::State_MouseOver) || index.data(OccurrenceModel::LitRole).toBool()) {
        painter->setPen(QPen(theme.text, 1));
        painter->drawRect(bar.adjusted(-1.5, 0.5, 1.5, -0.5));
    }
    painter->restore();
}

QSize RailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int room = view == nullptr ? 0 : view->viewport()->height();
    return {16, std::clamp(room / std::max(1, index.model()->rowCount()), kSmallest, kLargest)};
}

} // namespace sunder

#include "moc_rail_delegate.cpp"
