#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a line of "the same place elsewhere": colour of its tag, module, node.
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
