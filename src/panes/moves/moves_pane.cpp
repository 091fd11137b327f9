#include "panes/moves/moves_pane.h"

#include "analysis/snapshot.h"
#include "document/runs/moves_outcome.h"
#include "document/text.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "models/tag_style_of.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <unordered_set>

namespace sunder {

/// Result of "Move non-tensor ops": a row for each moved op, then a row for each op that stays at a boundary, with the reason.
class MovesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { OpColumn, WhereColumn, WhyColumn, ColumnCount };
    enum Role { StaysRole = Qt::UserRole + 1 }; ///< bool

    using QAbstractTableModel::QAbstractTableModel;

    /// Sets the result; null clears the model.
    void setMoves(SnapshotPtr source, MovesOutcomePtr outcome);
    [[nodiscard]] NodeId nodeOf(int row) const;
    /// Returns the first row of one of these nodes; -1: none.
    [[nodiscard]] int rowOf(const std::vector<NodeRef>& nodes) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString tagName(std::uint32_t tag) const;
    [[nodiscard]] QString cell(int row, int column) const;

    SnapshotPtr m_source;
    MovesOutcomePtr m_outcome;
};

void MovesModel::setMoves(SnapshotPtr source, MovesOutcomePtr outcome)
{
    beginResetModel();
    m_source = std::move(source);
    m_outcome = std::move(outcome);
    endResetModel();
}

NodeId MovesModel::nodeOf(int row) const
{
    const MoveNonTensorResult& moves = m_outcome->result.moves;
    const auto at = static_cast<std::size_t>(row);
    return at < moves.moved.size() ? moves.moved[at].node : moves.staying[at - moves.moved.size()].node;
}

int MovesModel::rowOf(const std::vector<NodeRef>& nodes) const
{
    std::unordered_set<std::uint32_t> wanted;
    for (const NodeRef ref : nodes)
        wanted.insert(ref.node.index());
    for (int row = 0; row < rowCount() && !wanted.empty(); ++row)
        if (wanted.contains(nodeOf(row).index()))
            return row;
    return -1;
}

int MovesModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_outcome)
        return 0;
    return static_cast<int>(m_outcome->result.moves.moved.size() + m_outcome->result.moves.staying.size());
}

int MovesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString MovesModel::tagName(std::uint32_t tag) const
{
    return text(m_outcome->before.order[tag]);
}

QString MovesModel::cell(int row, int column) const
{
    if (column == OpColumn)
        return text(m_source->graph()[nodeOf(row)].name);
    const MoveNonTensorResult& moves = m_outcome->result.moves;
    const auto at = static_cast<std::size_t>(row);
    if (at < moves.moved.size())
        return column == WhereColumn ? tr("%1 → %2").arg(tagName(moves.moved[at].from), tagName(moves.moved[at].to))
                                     : tr("moved");
    const StayingNode& stay = moves.staying[at - moves.moved.size()];
    return column == WhereColumn ? tagName(stay.subgraph) : tr("stays: %1").arg(text(stay.why));
}

QVariant MovesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool stays = static_cast<std::size_t>(index.row()) >= m_outcome->result.moves.moved.size();
    switch (role) {
    case Qt::DisplayRole: return cell(index.row(), index.column());
    case Qt::ToolTipRole: return folded(cell(index.row(), index.column()));
    case Qt::ForegroundRole:
        return index.column() == WhyColumn ? QVariant(stays ? currentTheme().warning : currentTheme().proven) : QVariant();
    case StaysRole: return stays;
    default: return {};
    }
}

QVariant MovesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Op"), tr("Tag"), tr("Result")};
    return titles[section];
}

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
    document().marks().select(std::move(nodes));
    document().marks().reveal();
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
#include "moves_pane.moc"
