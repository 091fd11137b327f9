#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// Paints an occurrence as a small bar in the colors of its tags. The occurrences of a group divide the height of the rail.
class RailDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    RailDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Document& m_document;
};

} // namespace sunder
