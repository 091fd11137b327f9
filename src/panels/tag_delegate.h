#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// Paints a row of the tags panel: eye, color, code, name, ops, bytes, lock. Name and code are edited in place.
class TagDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    TagDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    /// Returns the rectangle of the color; a click there chooses another.
    [[nodiscard]] static QRect swatch(const QRect& row);
    /// Return the rectangles of the lock and of the visibility mark.
    [[nodiscard]] static QRect lock(const QRect& row);
    [[nodiscard]] static QRect eye(const QRect& row);
    /// Makes the next editor edit the code instead of the name.
    void editCodeNext() { m_editsCode = true; }
    /// Called when an editor was closed: the next one edits the name again.
    void editNameNext() { m_editsCode = false; }
    [[nodiscard]] bool editsCode() const { return m_editsCode; }
    /// Draws colors as outlines while the source shows other colors.
    void setHollow(bool isHollow) { m_isHollow = isHollow; }

private:
    void paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

    const Document& m_document;
    bool m_isHollow = false;
    bool m_editsCode = false;
};

} // namespace sunder
