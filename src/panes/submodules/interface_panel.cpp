#include "panes/submodules/interface_panel.h"

#include "document/text.h"
#include "ir/value_kind.h"
#include "models/name_delegate.h"
#include "models/tag_style_of.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

std::uint64_t sumOf(const std::vector<Port>& ports)
{
    return std::accumulate(ports.begin(), ports.end(), std::uint64_t(0),
                           [](std::uint64_t sum, const Port& port) { return sum + port.bytes; });
}

QFont monospace()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(8.5);
    return font;
}

} // namespace

void InterfaceModel::show(const PartPage& page, GraphInterface interface)
{
    beginResetModel();
    m_page = page;
    m_interface = std::move(interface);
    std::erase_if(m_interface.outputs, [](const Port& port) { return port.literal.has_value(); });
    endResetModel();
}

QString InterfaceModel::summary() const
{
    if (!m_page.outcome)
        return {};
    QStringList parts{countText(m_interface.inputs.size(), "input"), countText(m_interface.outputs.size(), "output")};
    if (!m_interface.weights.empty())
        parts << tr("%1, %2").arg(countText(m_interface.weights.size(), "parameter"), bytesText(m_interface.weightBytes));
    return parts.join(QStringLiteral(" · "));
}

const std::vector<Port>& InterfaceModel::ports(int group) const
{
    return group == InputGroup ? m_interface.inputs : group == OutputGroup ? m_interface.outputs : m_interface.weights;
}

NodeId InterfaceModel::nodeOf(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kTop)
        return {};
    return ports(static_cast<int>(index.internalId()))[static_cast<std::size_t>(index.row())].node;
}

QModelIndexList InterfaceModel::rowsOf(NodeId node) const
{
    QModelIndexList rows;
    for (int group = 0; m_page.outcome && group < GroupCount; ++group) {
        const auto& list = ports(group);
        const auto at = std::find_if(list.begin(), list.end(), [node](const Port& port) { return port.node == node; });
        if (at != list.end())
            rows << createIndex(static_cast<int>(at - list.begin()), 0, static_cast<quintptr>(group));
    }
    return rows;
}

QModelIndex InterfaceModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= ColumnCount)
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : kTop);
}

QModelIndex InterfaceModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kTop)
        return {};
    return createIndex(static_cast<int>(index.internalId()), 0, kTop);
}

int InterfaceModel::rowCount(const QModelIndex& parent) const
{
    if (!m_page.outcome)
        return 0;
    if (!parent.isValid())
        return GroupCount;
    return parent.column() == 0 && parent.internalId() == kTop ? static_cast<int>(ports(parent.row()).size()) : 0;
}

int InterfaceModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QString InterfaceModel::partName(std::int32_t part) const
{
    return text(m_page.outcome->split.partNames[static_cast<std::size_t>(part)]);
}

QString InterfaceModel::groupText(int group, int column) const
{
    const auto& list = ports(group);
    if (column == NameColumn) {
        const QString titles[] = {tr("Inputs"), tr("Outputs"), tr("Parameters")};
        return tr("%1 · %2").arg(titles[group], list.empty() ? tr("none") : text(formatCount(list.size())));
    }
    if (column == BytesColumn && !list.empty())
        return bytesText(group == ParameterGroup ? m_interface.weightBytes : sumOf(list));
    return {};
}

QString InterfaceModel::typeOf(const Port& port) const
{
    const TensorTable& tensors = m_page.program().tensors;
    if (port.tensor)
        return text(describe(tensors[tensors.object(port.tensor)].meta));
    const std::optional<Argument>& val = m_page.nodes()[port.node].meta.val;
    if (!val)
        return tr("unknown");
    const QString what = text(describeValue(*val));
    const std::string_view number = numberKind(*val);
    return number.empty() ? what : tr("%1 %2").arg(text(number), what);
}

QString InterfaceModel::sizeOf(const Port& port) const
{
    if (!port.isKnown)
        return tr("unknown");
    return port.tensor ? bytesText(port.bytes) : text(describeSize(m_page.nodes()[port.node].meta.val));
}

QString InterfaceModel::wayOf(const Port& port, int group) const
{
    QStringList to;
    for (const std::int32_t part : port.to)
        to << partName(part);
    if (group == ParameterGroup) {
        const std::string_view role = sunder::name(m_page.program().tensors[port.tensor].role);
        return to.isEmpty() ? text(role) : tr("%1, to %2").arg(text(role), to.join(QStringLiteral(", ")));
    }
    if (group == InputGroup && m_page.part >= 0)
        return port.from == Port::kProgram ? tr("program input") : tr("from %1").arg(partName(port.from));
    if (port.toProgram)
        to << tr("program output");
    if (port.toUntagged)
        to << tr("the main graph");
    if (group == OutputGroup && m_page.part < 0)
        return port.from == Port::kProgram ? tr("from the main graph") : tr("from %1").arg(partName(port.from));
    return to.isEmpty() ? tr("unused") : tr("to %1").arg(to.join(QStringLiteral(", ")));
}

QString InterfaceModel::cell(const Port& port, int group, int column) const
{
    switch (column) {
    case NameColumn: return text(port.tensor ? m_page.program().tensors[port.tensor].fqn : m_page.nodes()[port.node].name);
    case TypeColumn: return typeOf(port);
    case BytesColumn: return sizeOf(port);
    case WayColumn: return wayOf(port, group);
    default: return {};
    }
}

QVariant InterfaceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole && index.column() == BytesColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (index.internalId() == kTop) {
        if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
            return groupText(index.row(), index.column());
        if (role == Qt::FontRole) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return {};
    }
    const int group = static_cast<int>(index.internalId());
    const Port& port = ports(group)[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return cell(port, group, index.column());
    case Qt::AccessibleTextRole:
        return index.column() != NameColumn
            ? cell(port, group, index.column())
            : tr("%1, %2, %3").arg(cell(port, group, NameColumn), typeOf(port), wayOf(port, group));
    case Qt::ToolTipRole:
        return folded(tr("%1\n%2, %3\n%4")
                          .arg(cell(port, group, NameColumn), typeOf(port), cell(port, group, BytesColumn), wayOf(port, group)));
    case Qt::FontRole: return index.column() == NameColumn || index.column() == TypeColumn ? QVariant(monospace()) : QVariant();
    case Qt::ForegroundRole: return index.column() == NameColumn ? QVariant() : QVariant(currentTheme().dim);
    default: return {};
    }
}

QVariant InterfaceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == BytesColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const QString titles[] = {tr("Name"), tr("Type"), tr("Size"), tr("From / to")};
    return role == Qt::DisplayRole && section >= 0 && section < ColumnCount ? QVariant(titles[section]) : QVariant();
}

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
    setAccessibleName(tr("Inputs, outputs, and parameters"));
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
