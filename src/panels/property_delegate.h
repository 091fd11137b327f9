#pragma once

#include "models/name_delegate.h"

namespace sunder {

/// Paints properties: names as NameDelegate does, and bars for values that have them.
class PropertyDelegate final : public NameDelegate {
    Q_OBJECT

public:
    using NameDelegate::NameDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sunder
