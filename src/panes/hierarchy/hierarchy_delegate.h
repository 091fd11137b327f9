#pragma once

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a module: name, class, at the right how often it is called and how many ops it runs.
class HierarchyDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
