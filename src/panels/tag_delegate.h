#pragma once

#include "document/document.h"

#include <QStyledItemDelegate>

namespace sunder {

/// A row of the tags panel: eye, colour, code, name, ops, bytes, lock. Name and code are edited in place.
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
    /// Where the colour is drawn: a click there chooses another.
    [[nodiscard]] static QRect swatch(const QRect& row);
    /// Where a click locks or unlocks, and where it hides or shows.
    [[nodiscard]] static QRect lock(const QRect& row);
    [[nodiscard]] static QRect eye(const QRect& row);
    /// The next editor is for the code, not for the name.
    void editCodeNext() { m_editsCode = true; }
    /// An editor was closed: the next one is for the name again.
    void editNameNext() { m_editsCode = false; }
    [[nodiscard]] bool editsCode() const { return m_editsCode; }
    /// Colours that are nowhere to be seen, because the source shows others, are outlines only.
    void setHollow(bool isHollow) { m_isHollow = isHollow; }

private:
    void paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

    const Document& m_document;
    bool m_isHollow = false;
    bool m_editsCode = false;
};

} // namespace sunder
