#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// A row of the outline: name, class, and at the right the op count and the strip of tags.
class OutlineDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    OutlineDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Document& m_document;
};

} // namespace sunder
