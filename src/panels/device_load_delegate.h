#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// Paints the memory use of a device as a bar. An overflow is red, beyond a tick at the capacity.
class DeviceLoadDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
