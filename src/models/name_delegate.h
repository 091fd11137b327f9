#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// Paints names elided by elidedName() so that they differ from the names above and below. Figures, which are right-aligned or
/// contain brackets as shapes do, are never cut within a number. For views without their own delegate; installs itself in the
/// view.
class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
