#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a row of the undo history: a mark at the present step, the name (pale if undone), and the saved state.
class StepDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
