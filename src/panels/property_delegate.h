#pragma once

#include "models/name_delegate.h"

namespace sunder {

/// Cells of properties: names as NameDelegate has them, and bars where a line has some.
class PropertyDelegate final : public NameDelegate {
    Q_OBJECT

public:
    using NameDelegate::NameDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
