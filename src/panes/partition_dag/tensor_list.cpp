#include "panes/partition_dag/tensor_list.h"

#include "document/text.h"
#include "models/name_delegate.h"
#include "models/themed_icon.h"
#include "panes/partition_dag/ui_tensor_list.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace sunder {

TensorList::TensorList(QWidget* parent)
    : QWidget(parent), m_model(new TensorModel(this)), m_ui(std::make_unique<Ui::TensorList>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->header()->setSectionResizeMode(TensorModel::NameColumn, QHeaderView::Stretch);
    setMinimumHeight(heightOfRows(3));
    connect(m_ui->closeList, &QToolButton::clicked, this, &TensorList::closeRequested);
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<NodeId> nodes;
        for (const QModelIndex& index : m_ui->rows->selectionModel()->selectedRows())
            nodes.push_back(m_model->node(index.row()));
        if (!nodes.empty())
            emit selected(nodes);
    });
}

TensorList::~TensorList() = default;

QTreeView& TensorList::view()
{
    return *m_ui->rows;
}

void TensorList::show(const QString& title, SnapshotPtr source, std::vector<TensorRow> rows)
{
    m_ui->title->setText(brief(title));
    m_ui->title->setToolTip(folded(title));
    const QSignalBlocker blocker(m_ui->rows->selectionModel());
    m_model->setRows(std::move(source), std::move(rows));
    m_ui->rows->setColumnHidden(TensorModel::WayColumn, !m_model->hasWays());
    if (m_model->rowCount() > 0)
        m_ui->rows->selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
    QWidget::show();
}

int TensorList::heightOfRows(int rows) const
{
    constexpr int kRow = 22;
    constexpr int kTitle = 28;
    const int row = m_model->rowCount() > 0 ? m_ui->rows->sizeHintForRow(0) : kRow;
    return kTitle + m_ui->rows->header()->sizeHint().height() + rows * row;
}

void TensorList::markSelected(const std::vector<NodeId>& sorted)
{
    const QSignalBlocker blocker(m_ui->rows->selectionModel());
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (std::binary_search(sorted.begin(), sorted.end(), m_model->node(row)))
            selection.select(m_model->index(row, 0), m_model->index(row, TensorModel::ColumnCount - 1));
    m_ui->rows->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_ui->rows->viewport()->update();
}

void TensorList::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace sunder

#include "moc_tensor_list.cpp"
