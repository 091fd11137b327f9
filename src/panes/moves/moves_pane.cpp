#include "panes/moves/moves_pane.h"

#include "models/look.h"
#include "models/name_delegate.h"
#include "panes/moves/moves_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace sunder {

MovesPane::MovesPane(Document& document, QWidget* parent)
    : ResultPane(document, MovesOutcome::kKind, tr("Moved ops"),
                 tr("Move ops with non-tensor results into the part that uses them (Ctrl+Shift+M) to see which moved, and "
                    "why others stay on a boundary."),
                 parent),
      m_model(new MovesModel(this)), m_view(new QTreeView(this)),
      m_empty(new QLabel(tr("Nothing to move: only tensors cross the boundaries between parts."), this))
{
    column().addWidget(m_view, 1);
    column().addWidget(m_empty, 1);
    setLook(*m_empty, QStringLiteral("hint"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setContentsMargins(12, 12, 12, 12);
    m_view->setModel(m_model);
    m_view->setObjectName(QStringLiteral("rows"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setItemDelegate(new NameDelegate(m_view));
    m_view->setAccessibleName(tr("Ops that moved and ops that stay"));
    m_view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_view->header()->setStretchLastSection(true);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MovesPane::selectOps);
    addExportButton(tr("Export the list of ops (Ctrl+E)"));
    addWindowButtons();
    start();
}

void MovesPane::showResult()
{
    const QScopedValueRollback following(m_following, true);
    const auto outcome = result<MovesOutcomePtr>();
    m_model->setMoves(outcome ? document().snapshot() : nullptr, outcome);
    m_view->setVisible(m_model->rowCount() > 0);
    m_empty->setVisible(m_model->rowCount() == 0);
}

void MovesPane::refreshTheme()
{
    m_view->viewport()->update();
}

void MovesPane::selectOps()
{
    if (m_following)
        return;
    std::vector<NodeId> nodes;
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows())
        nodes.push_back(m_model->nodeOf(row.row()));
    if (nodes.empty())
        return;
    const QScopedValueRollback following(m_following, true); // select() calls back with the same selection
    document().select(std::move(nodes));
    document().reveal();
}

void MovesPane::showSelection(const std::vector<NodeRef>& selected)
{
    if (m_following)
        return;
    const QScopedValueRollback following(m_following, true);
    const int row = m_model->rowOf(selected);
    if (row < 0)
        m_view->clearSelection();
    else
        m_view->setCurrentIndex(m_model->index(row, 0));
}

void MovesPane::reveal()
{
    if (!m_following && m_view->currentIndex().isValid())
        m_view->scrollTo(m_view->currentIndex());
}

} // namespace sunder

#include "moc_moves_pane.cpp"
