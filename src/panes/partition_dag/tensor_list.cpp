#include "panes/partition_dag/tensor_list.h"

#include "document/text.h"
#include "models/themed_icon.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/node_drag.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace sunder {

namespace {

/// Rows that are dragged as a chip beside the cursor: whole rows would cover what the card says.
class TensorRows final : public QTreeView {
public:
    using QTreeView::QTreeView;

protected:
    void startDrag(Qt::DropActions) override
    {
        const QModelIndexList rows = selectionModel()->selectedRows();
        const std::unique_ptr<QMimeData> dragged(model()->mimeData(rows));
        const std::vector<NodeId> nodes = nodesIn(dragged.get());
        if (!nodes.empty())
            dragNodes(*this, nodes,
                      nodes.size() == 1 && rows.size() == 1 ? rows.front().data().toString() : countText(nodes.size(), "op"));
    }
};

} // namespace

TensorList::TensorList(QWidget* parent)
    : QWidget(parent), m_model(new TensorModel(this)), m_view(new TensorRows(this)), m_title(new QLabel(this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 4, 6, 2);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_title, 1);
    auto* close = new QToolButton(this);
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Close the list (Esc)"));
    close->setAccessibleName(tr("Close the list"));
    row->addWidget(close);
    column->addLayout(row);
    auto* inset = new QVBoxLayout;
    inset->setContentsMargins(4, 0, 4, 0);
    inset->addWidget(m_view);
    column->addLayout(inset, 1);
    m_view->setModel(m_model);
    m_view->setObjectName(QStringLiteral("rows"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    m_view->setAccessibleName(tr("Tensors"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(TensorModel::NameColumn, QHeaderView::Stretch);
    setMinimumHeight(heightOfRows(3));
    connect(close, &QToolButton::clicked, this, &TensorList::closeRequested);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<NodeId> nodes;
        for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
            nodes.push_back(m_model->node(index.row()));
        if (!nodes.empty())
            emit selected(nodes);
    });
}

void TensorList::show(const QString& title, SnapshotPtr source, std::vector<TensorRow> rows)
{
    m_title->setText(brief(title));
    m_title->setToolTip(folded(title));
    const QSignalBlocker blocker(m_view->selectionModel());
    m_model->setRows(std::move(source), std::move(rows));
    m_view->setColumnHidden(TensorModel::WayColumn, !m_model->hasWays());
    if (m_model->rowCount() > 0)
        m_view->selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
    QWidget::show();
}

int TensorList::heightOfRows(int rows) const
{
    constexpr int kRow = 22;
    constexpr int kTitle = 28;
    const int row = m_model->rowCount() > 0 ? m_view->sizeHintForRow(0) : kRow;
    return kTitle + m_view->header()->sizeHint().height() + rows * row;
}

void TensorList::markSelected(const std::vector<NodeId>& sorted)
{
    const QSignalBlocker blocker(m_view->selectionModel());
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (std::binary_search(sorted.begin(), sorted.end(), m_model->node(row)))
            selection.select(m_model->index(row, 0), m_model->index(row, TensorModel::ColumnCount - 1));
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_view->viewport()->update();
}

void TensorList::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace sunder
