#include "panes/partition_dag/tensor_model.h"

#include "document/text.h"
#include "ir/value_kind.h"
#include "panes/partition_dag/node_drag.h"
#include "support/format.h"
#include "support/sort_unique.h"
#include "text/amounts.h"

#include <QMimeData>

#include <algorithm>
#include <map>

namespace sunder {
namespace {

/// Returns e.g. "float32", "symbolic int".
QString dtypeOf(const Node& node)
{
    if (!node.meta.val)
        return {};
    return node.meta.val->is(ArgumentKind::tensor) ? text(node.meta.val->asTensor().dtype) : text(numberKind(*node.meta.val));
}

QString nameOf(const CutMeasure& measure, std::int32_t part)
{
    return text(measure.tags().order[static_cast<std::size_t>(part)]);
}

/// Returns e.g. "stage1, stage2", or for many parts "5 parts: stage1, …".
QString namesOf(const CutMeasure& measure, const std::vector<std::int32_t>& parts)
{
    QStringList names;
    for (const std::int32_t part : parts)
        names << nameOf(measure, part);
    const QString list = names.join(QStringLiteral(", "));
    return parts.size() <= DrawnCut::kMaxLines ? list : QObject::tr("%1: %2").arg(countText(parts.size(), "part"), list);
}

QString alsoReadBy(const QString& way, std::size_t readers)
{
    return QObject::tr("%1, used by %2").arg(way, countText(readers, "part"));
}

} // namespace

TensorModel::TensorModel(QObject* parent) : QAbstractTableModel(parent) {}

void TensorModel::setRows(SnapshotPtr source, std::vector<TensorRow> rows)
{
    beginResetModel();
    m_source = std::move(source);
    m_rows = std::move(rows);
    endResetModel();
}

bool TensorModel::hasWays() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const TensorRow& row) { return !row.way.isEmpty(); });
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TensorRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const Node& node = m_source->graph()[row.node];
    if (role == Qt::TextAlignmentRole && index.column() == BytesColumn)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        const QString drag = m_source->isCall(row.node)
            ? QObject::tr("Drag onto a part to move the op there, or select it and press M.")
            : QObject::tr("Model input; belongs to no part.");
        return folded(QStringLiteral("%1\n%2").arg(text(node.name), drag));
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case NameColumn: return text(node.name);
    case ShapeColumn: return node.meta.val ? text(describeShape(*node.meta.val)) : QString();
    case DtypeColumn: return dtypeOf(node);
    case BytesColumn: return row.isKnown ? text(describeSize(node.meta.val)) : tr("unknown");
    case WayColumn: return row.way;
    default: return {};
    }
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Tensor"), tr("Shape"), tr("Type"), tr("Size"), tr("From / to")};
    return section >= 0 && section < ColumnCount ? titles[section] : QVariant();
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && m_source->isCall(node(index.row())))
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList TensorModel::mimeTypes() const
{
    return {QLatin1String(kNodesMime)};
}

QMimeData* TensorModel::mimeData(const QModelIndexList& indexes) const
{
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : indexes)
        if (m_source->isCall(node(index.row())))
            nodes.push_back(node(index.row()));
    sortUnique(nodes);
    return mimeOf(nodes);
}

std::vector<TensorRow> rowsOf(const CutEdge& cutEdge)
{
    std::vector<TensorRow> rows;
    for (const CutEdgeValue& value : cutEdge.values)
        rows.push_back({.node = value.node, .isKnown = value.isKnown, .way = {}});
    return rows;
}

std::vector<TensorRow> edgeRowsOf(const CutMeasure& measure, std::int32_t part, bool leaves)
{
    std::vector<TensorRow> rows;
    for (const BoundaryCall& call : measure.boundaryOf(part).calls) {
        if (call.leaves() != leaves)
            continue;
        QStringList parts;
        for (const std::int32_t other : leaves ? call.to : call.from)
            parts << text(measure.tags().order[static_cast<std::size_t>(other)]);
        const std::optional<Argument>& val = measure.source()->graph()[call.node].meta.val;
        rows.push_back(
            {.node = call.node,
             .isKnown = val && byteSize(*val),
             .way = (leaves ? QObject::tr("to %1") : QObject::tr("reads from %1")).arg(parts.join(QStringLiteral(", ")))});
    }
    return rows;
}

std::vector<TensorRow> readerRowsOf(const CutMeasure& measure, NodeId shared)
{
    std::vector<TensorRow> rows;
    const std::vector<Port>& all = measure.drawn().shared;
    const auto value = std::ranges::find(all, shared, &Port::node);
    if (value != all.end())
        for (const std::int32_t part : value->to)
            rows.push_back({.node = shared, .isKnown = value->isKnown, .way = QObject::tr("to %1").arg(nameOf(measure, part))});
    return rows;
}

std::vector<TensorRow> sharedRowsOf(const CutMeasure& measure, std::int32_t part)
{
    std::vector<TensorRow> rows;
    for (const Port& value : measure.drawn().shared)
        if (std::ranges::binary_search(value.to, part))
            rows.push_back({.node = value.node,
                            .isKnown = value.isKnown,
                            .way = alsoReadBy(value.from < 0 ? QObject::tr("model input")
                                                             : QObject::tr("from %1").arg(nameOf(measure, value.from)),
                                              value.to.size())});
    for (const Port& value : measure.drawn().shared)
        if (value.from == part)
            rows.push_back(
                {.node = value.node, .isKnown = value.isKnown, .way = QObject::tr("to %1").arg(namesOf(measure, value.to))});
    return rows;
}

std::vector<TensorRow> boundaryRowsOf(const CutMeasure& measure, std::int32_t part)
{
    std::map<NodeId, std::size_t> readers; // number of consuming parts of shared values
    for (const Port& value : measure.drawn().shared)
        readers.emplace(value.node, value.to.size());
    std::vector<TensorRow> rows;
    for (const Port& value : measure.interfaceOf(part).inputs) {
        const QString way = value.from < 0 ? QObject::tr("model input") : QObject::tr("from %1").arg(nameOf(measure, value.from));
        const auto many = readers.find(value.node);
        rows.push_back(
            {.node = value.node, .isKnown = value.isKnown, .way = many == readers.end() ? way : alsoReadBy(way, many->second)});
    }
    for (const Port& value : measure.interfaceOf(part).outputs) {
        QStringList to;
        if (!value.to.empty())
            to << namesOf(measure, value.to);
        if (value.toProgram)
            to << QObject::tr("model output");
        if (value.toUntagged)
            to << QObject::tr("ops in no part");
        rows.push_back(
            {.node = value.node, .isKnown = value.isKnown, .way = QObject::tr("to %1").arg(to.join(QStringLiteral(", ")))});
    }
    return rows;
}

} // namespace sunder

#include "moc_tensor_model.cpp"
