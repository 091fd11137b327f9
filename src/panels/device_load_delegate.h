#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// A bar of what lies on a device: as long as it is used, up to the tick of its capacity, beyond it red with what is too much.
class DeviceLoadDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
