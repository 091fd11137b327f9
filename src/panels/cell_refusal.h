#pragma once

#include <QAbstractItemDelegate>
#include <QLabel>
#include <QModelIndex>

#include <functional>

class QAbstractItemView;

namespace sunder {

/// Keeps the editor of a cell open while its text is refused, and shows the reason below it. The view calls holds() before it
/// closes an editor. The label disappears when the text changes or the editor closes; Escape restores the cell.
class CellRefusal final : public QLabel {
    Q_OBJECT

public:
    /// Returns why the cell refuses the typed text; empty if it is valid.
    using Refusal = std::function<QString(const QModelIndex& cell, const QString& typed)>;

    CellRefusal(QAbstractItemView& view, Refusal refusal);

    /// Returns whether the editor should stay open.
    bool holds(QWidget* editor, QAbstractItemDelegate::EndEditHint hint);

private:
    void say(const QString& why, QWidget& editor);

    QAbstractItemView& m_view;
    Refusal m_refusal;
};

} // namespace sunder
