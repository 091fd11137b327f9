#include "models/step_model.h"

#include "document/text.h"

namespace sunder {

StepModel::StepModel(Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document)
{
    const QUndoStack& stack = document.steps();
    connect(&stack, &QUndoStack::indexChanged, this, &StepModel::follow);
    connect(&stack, &QUndoStack::cleanChanged, this, &StepModel::follow);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::file))
            follow();
    });
    follow();
}

/// Strokes are frequent, and there can be thousands of rows, so only added and removed rows are announced.
void StepModel::follow()
{
    const int rows = m_document.isOpen() ? m_document.steps().count() + 1 : 0;
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        endRemoveRows();
    }
    if (m_rows > 0)
        emit dataChanged(index(0), index(m_rows - 1));
}

int StepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

QModelIndex StepModel::present() const
{
    return index(m_document.steps().index());
}

QString StepModel::nameOf(int row) const
{
    return row == 0 ? tr("Opened %1").arg(visible(m_document.displayName())) : visible(m_document.steps().text(row - 1));
}

QVariant StepModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.row() > m_document.steps().count())
        return {};
    const QUndoStack& stack = m_document.steps();
    const bool isUndone = index.row() > stack.index();
    const bool isPresent = index.row() == stack.index();
    const bool isSaved = index.row() == stack.cleanIndex();
    switch (role) {
    case Qt::DisplayRole: return nameOf(index.row());
    case Qt::ToolTipRole:
        return isPresent ? tr("%1\nThe current state.").arg(folded(nameOf(index.row())))
            : isUndone   ? tr("%1\nClick to redo all steps up to this one.").arg(folded(nameOf(index.row())))
                         : tr("%1\nClick to undo all later steps.").arg(folded(nameOf(index.row())));
    case Qt::AccessibleTextRole:
        return nameOf(index.row())
            + (isPresent      ? tr(", current")
                   : isUndone ? tr(", undone")
                              : QString())
            + (isSaved ? tr(", saved") : QString());
    case PresentRole: return isPresent;
    case UndoneRole: return isUndone;
    case SavedRole: return isSaved;
    default: return {};
    }
}

} // namespace sunder

#include "moc_step_model.cpp"
