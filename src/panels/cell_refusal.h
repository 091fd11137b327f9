#pragma once

#include <QAbstractItemDelegate>
#include <QLabel>
#include <QModelIndex>

#include <functional>

class QAbstractItemView;

namespace sunder {

/// Keeps the editor of a cell open while what is typed there is refused, and says why below it. The view asks holds() before it closes
/// an editor. The label goes when the text changes and with the editor; Escape leaves the cell as it was.
class CellRefusal final : public QLabel {
    Q_OBJECT

public:
    /// Why the cell cannot hold what is typed; empty when it can.
    using Refusal = std::function<QString(const QModelIndex& cell, const QString& typed)>;

    CellRefusal(QAbstractItemView& view, Refusal refusal);

    /// Whether the editor is to stay open.
    bool holds(QWidget* editor, QAbstractItemDelegate::EndEditHint hint);

private:
    void say(const QString& why, QWidget& editor);

    QAbstractItemView& m_view;
    Refusal m_refusal;
};

} // namespace sunder
