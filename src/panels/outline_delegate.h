#pragma once

#include "models/outline_model.h"

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a row of the outline: name, class, and on the right the number of ops and the strip of tags.
class OutlineDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    OutlineDelegate(const OutlineModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const OutlineModel& m_model;
};

} // namespace sunder
