#include "panes/submodules/interface_panel.h"
#include "models/name_delegate.h"

#include <QHeaderView>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kRow = 22;
constexpr int kMaxRowsAtFirst = 8;
constexpr int kFigureMargins = 20; ///< left and right together
constexpr std::size_t kFewParameters = 4; ///< up to this number, the group is expanded

} // namespace

InterfacePanel::InterfacePanel(QWidget* parent) : QTreeView(parent), m_model(new InterfaceModel(this))
{
    setObjectName(QStringLiteral("rows"));
    setModel(m_model);
    setUniformRowHeights(true);
    setItemDelegate(new NameDelegate(this));
    setFrameShape(NoFrame);
    setIndentation(12);
    setMinimumHeight(kRow * 2);
    setAccessibleName(tr("Inputs, outputs and parameters"));
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(40);
    header()->setSectionResizeMode(QHeaderView::Fixed);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (const NodeId node = m_model->nodeOf(index); node && !m_showing)
            emit nodePicked(node);
    });
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const NodeId node = m_model->nodeOf(index))
            emit nodePicked(node);
    });
}

void InterfacePanel::show(const PartPage& page, GraphInterface interface)
{
    m_showing = true;
    m_model->show(page, std::move(interface));
    for (int group = 0; group < InterfaceModel::GroupCount; ++group) {
        const bool isLong = group == InterfaceModel::ParameterGroup && m_model->interface().weights.size() > kFewParameters;
        setExpanded(m_model->index(group, 0), !isLong);
    }
    m_showing = false;
    fitColumns();
    updateGeometry();
}

void InterfacePanel::showNode(NodeId node)
{
    const QModelIndexList rows = node ? m_model->rowsOf(node) : QModelIndexList();
    m_showing = true;
    if (rows.isEmpty())
        setCurrentIndex({});
    else if (!rows.contains(currentIndex().siblingAtColumn(0)))
        setCurrentIndex(rows.front());
    m_showing = false;
}

QSize InterfacePanel::sizeHint() const
{
    int rows = 1 + InterfaceModel::GroupCount;
    for (int group = 0; group < m_model->rowCount(); ++group)
        if (isExpanded(m_model->index(group, 0)))
            rows += m_model->rowCount(m_model->index(group, 0));
    return {320, std::min(rows, kMaxRowsAtFirst) * kRow + 4};
}

void InterfacePanel::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitColumns();
}

/// Type and size are never elided; the other columns share the rest.
void InterfacePanel::fitColumns()
{
    const int whole = viewport()->width();
    QFont bold = font(); // for the sums in group rows
    bold.setWeight(QFont::DemiBold);
    const int figure = QFontMetrics(bold).horizontalAdvance(QStringLiteral("999.9 MB")) + kFigureMargins;
    const int bytes = std::min(figure, whole / 4);
    const int type = std::min(140, whole / 4);
    const int name = std::min(320, (whole - bytes - type) * 11 / 20);
    header()->resizeSection(InterfaceModel::NameColumn, name);
    header()->resizeSection(InterfaceModel::TypeColumn, type);
    header()->resizeSection(InterfaceModel::BytesColumn, bytes);
    header()->resizeSection(InterfaceModel::WayColumn, whole - bytes - type - name);
}

} // namespace sunder

#include "moc_interface_panel.cpp"
