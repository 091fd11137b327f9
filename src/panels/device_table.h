#pragma once

#include "panels/cell_refusal.h"

#include <QTreeView>

namespace sunder {

/// A table that is walked and edited cell by cell with the keys: arrows go from cell to cell, Enter and F2 edit, Tab in an
/// editor goes on to the next cell. Without rows it says what to do, and still has the focus, so that rows can be pasted.
class DeviceTable final : public QTreeView {
    Q_OBJECT
    Q_PROPERTY(QString hint READ hint WRITE setHint)

public:
    using QTreeView::sizeHintForColumn;
    explicit DeviceTable(QWidget* parent = nullptr);
    [[nodiscard]] const QString& hint() const { return m_hint; }
    /// Said while there are no rows.
    void setHint(const QString& hint);

    /// Cells whose text is refused stay open.
    void setRefusal(CellRefusal::Refusal refusal);

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    [[nodiscard]] QModelIndex beside(const QModelIndex& at, int by, bool wraps) const;

    QString m_hint;
    CellRefusal* m_refusal = nullptr;
};

} // namespace sunder
