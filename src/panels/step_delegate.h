#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// A row of the history of steps: a mark where things stand, the name, pale where it is undone, and where it was saved.
class StepDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
