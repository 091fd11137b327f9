#pragma once

#include "panels/cell_refusal.h"

#include <QListView>

namespace sunder {

/// The list of tags: rows with marks that are clicked (colour, lock, eye), and a line where a dragged row would go. A click on a mark
/// is not one on its row.
class TagListView final : public QListView {
    Q_OBJECT

public:
    explicit TagListView(QWidget* parent = nullptr);
    using QListView::edit;
    /// Where the line is drawn while a row is dragged there: the top of the gap that it goes to when it is dropped.
    [[nodiscard]] int gapAt(const QPoint& at) const;

    /// Names that are refused stay open.
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
    QPoint m_dragged; ///< where the dragged row is
};

} // namespace sunder
