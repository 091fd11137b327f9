#pragma once

#include "panels/cell_refusal.h"

#include <QTreeView>

namespace sunder {

/// A table that is navigated and edited cell by cell with the keyboard: arrows move between cells, Enter and F2 edit, a digit
/// replaces a number, Tab in an editor moves to the next cell. An empty table shows a hint and can have the focus, so that rows
/// can be pasted.
class DeviceTable final : public QTreeView {
    Q_OBJECT
    Q_PROPERTY(QString hint READ hint WRITE setHint)

public:
    using QTreeView::sizeHintForColumn;
    explicit DeviceTable(QWidget* parent = nullptr);
    [[nodiscard]] const QString& hint() const { return m_hint; }
    /// Sets the text that is shown while there are no rows.
    void setHint(const QString& hint);

    /// Keeps the editors of cells open whose text is refused.
    void setRefusal(CellRefusal::Refusal refusal);

protected:
    bool event(QEvent* event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    [[nodiscard]] bool startsEditing(const QKeyEvent& key) const;
    [[nodiscard]] QModelIndex beside(const QModelIndex& at, int by, bool wraps) const;

    QString m_hint;
    CellRefusal* m_refusal = nullptr;
};

} // namespace sunder
