#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// A row of the tags panel: handle, colour, code, name, ops, bytes. The name is edited in place.
class TagDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    TagDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where the colour is drawn: a click there chooses another.
    [[nodiscard]] static QRect swatch(const QRect& row);
    /// Colours that are nowhere to be seen, because the source shows others, are outlines only.
    void setHollow(bool isHollow) { m_isHollow = isHollow; }

private:
    const Document& m_document;
    bool m_isHollow = false;
};

} // namespace sunder
