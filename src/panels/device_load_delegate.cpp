#include "panels/device_load_delegate.h"

#include "models/device_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr int kBarWidth = 48;
constexpr int kBarHeight = 8;
constexpr int kGap = 4; ///< on each side
constexpr double kMinCapacity = 0.06; ///< minimum fraction of the bar if the overflow is large; 0 for a device of 0 B

} // namespace

void DeviceLoadDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index); // paints the background; there is no text
    const QVariant share = index.data(DeviceModel::UsedShareRole);
    if (!share.isValid())
        return;
    const Theme& theme = currentTheme();
    const double used = share.toDouble();
    const QRectF cell = QRectF(option.rect).adjusted(kGap, 0, -kGap, 0);
    const QRectF bar(cell.left(), cell.center().y() - kBarHeight / 2.0, cell.width(), kBarHeight);
    // With an overflow, the full bar is the used memory.
    const double capacity = used <= 1 ? 1 : std::isinf(used) ? 0 : std::max(kMinCapacity, 1 / used);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const auto fill = [&](double from, double to, const QColor& color) {
        painter->setBrush(color);
        painter->drawRoundedRect(QRectF(bar.left() + from * bar.width(), bar.top(), (to - from) * bar.width(), bar.height()), 2,
                                 2);
    };
    if (capacity > 0)
        fill(0, capacity, theme.soft);
    if (capacity > 0 && used > 0)
        fill(0, std::min(used, 1.0) * capacity, index.data(DeviceModel::ColorRole).value<QColor>());
    if (used > 1) {
        fill(capacity, 1, theme.error);
        painter->setPen(QPen(theme.text, 1.4));
        const double x = bar.left() + capacity * bar.width();
        painter->drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
    }
    painter->restore();
}

QSize DeviceLoadDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {kBarWidth + 2 * kGap, QStyledItemDelegate::sizeHint(option, index).height()};
}

} // namespace sunder

#include "moc_device_load_delegate.cpp"
