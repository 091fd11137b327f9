#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a row of the occurrence list: the colors of its tags, and its module and node.
class OccurrenceDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    OccurrenceDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Document& m_document;
};

} // namespace sunder
