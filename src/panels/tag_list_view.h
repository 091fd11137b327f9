#pragma once

#include "document/document.h"
#include "models/row_delegate.h"
#include "panels/cell_refusal.h"

#include <QListView>

namespace sunder {

/// Paints a row of the tags panel: eye, color, code, name, ops, bytes, lock. Name and code are edited in place.
class TagDelegate final : public RowDelegate {
    Q_OBJECT

public:
    TagDelegate(const Document& document, QObject* parent) : RowDelegate(24, 6, parent), m_document(document) {}
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

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
    /// The row of the active tag is in the color of the tag; the selection is the active tag.
    [[nodiscard]] QColor groundOf(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    static void paintUntagged(Row& row, const QModelIndex& index);
    static void paintMarks(const Row& row, const QModelIndex& index);

    const Document& m_document;
    bool m_isHollow = false;
    bool m_editsCode = false;
};

/// The list of tags: rows with clickable marks (color, lock, eye), and a line at the target of a dragged row. A click on a mark
/// does not select its row.
class TagListView final : public QListView {
    Q_OBJECT

public:
    explicit TagListView(QWidget* parent = nullptr);
    using QListView::edit;
    /// Returns the y of the drop line for a drag at this point: the top of the gap that the row would be dropped into.
    [[nodiscard]] int gapAt(const QPoint& at) const;

    /// Keeps the editors of refused names open.
    void setRefusal(CellRefusal::Refusal refusal);

signals:
    void swatchClicked(int row);
    void lockClicked(int row);
    /// `alone`: with Alt.
    void eyeClicked(int row, bool alone);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    enum class Mark { none, swatch, lock, eye };
    [[nodiscard]] Mark markAt(const QPoint& at) const;

    CellRefusal* m_refusal = nullptr;
    Mark m_pressed = Mark::none;
    QPoint m_dragged; ///< position of the dragged row
};

} // namespace sunder
