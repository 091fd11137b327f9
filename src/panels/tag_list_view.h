#pragma once

#include "panels/cell_refusal.h"

#include <QListView>

namespace sunder {

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
