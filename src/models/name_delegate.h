#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// Cells of names as elidedName() shortens them, beside those of the rows above and below; figures, which are aligned to
/// the right or have brackets as shapes do, are never cut within a number. For views without a delegate of their own; the view has it from then on.
class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
