#include "panes/regions/occurrence_model.h"

#include "document/text.h"

#include <algorithm>

namespace sunder {

OccurrenceModel::OccurrenceModel(const Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document) {}

void OccurrenceModel::setGroup(const RegionGroup* group)
{
    beginResetModel();
    m_order = group == nullptr ? OccurrenceOrder() : OccurrenceOrder(*group, m_document.snapshot()->positions);
    m_names.clear();
    m_place.reset();
    m_isLit.assign(static_cast<std::size_t>(rowCount()), 0);
    m_shares.assign(static_cast<std::size_t>(rowCount()), {});
    endResetModel();
}

void OccurrenceModel::setNames(const std::vector<std::string>& names)
{
    m_names.clear();
    for (const std::string& name : names)
        m_names.push_back(text(name));
    announceAll({Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole});
}

void OccurrenceModel::setPlace(std::optional<std::size_t> place)
{
    if (std::exchange(m_place, place) != place)
        announceAll({NodeRole, SharesRole, Qt::ToolTipRole, Qt::AccessibleTextRole});
}

void OccurrenceModel::setLit(std::span<const std::size_t> occurrences)
{
    std::vector<char> isLit(m_isLit.size(), 0);
    for (const std::size_t occurrence : occurrences)
        isLit[static_cast<std::size_t>(m_order.rowOf(occurrence))] = 1;
    const auto first = std::mismatch(isLit.begin(), isLit.end(), m_isLit.begin()).first - isLit.begin();
    const auto last = isLit.rend() - std::mismatch(isLit.rbegin(), isLit.rend(), m_isLit.rbegin()).first;
    m_isLit = std::move(isLit);
    if (first < last)
        emit dataChanged(index(static_cast<int>(first)), index(static_cast<int>(last) - 1), {LitRole});
}

void OccurrenceModel::refreshTags()
{
    m_shares.assign(m_shares.size(), {});
    announceAll({SharesRole});
}

void OccurrenceModel::announceAll(const QList<int>& roles)
{
    if (rowCount() > 0)
        emit dataChanged(index(0), index(rowCount() - 1), roles);
}

QString OccurrenceModel::nameAt(int row) const
{
    return m_names.empty() ? text(m_document.graph()[m_order.nodesAt(row).back()].name) : m_names[m_order.occurrenceAt(row)];
}

QString OccurrenceModel::nodeAt(int row) const
{
    return m_place ? text(m_document.graph()[m_order.nodesAt(row)[*m_place]].name) : QString();
}

const TagShares& OccurrenceModel::sharesAt(int row) const
{
    TagShares& shares = m_shares[static_cast<std::size_t>(row)];
    if (!shares.empty())
        return shares;
    const std::span<const NodeId> nodes = m_order.nodesAt(row);
    // the last count is for untagged nodes
    std::vector<std::size_t> counts(static_cast<std::size_t>(m_document.tagCount()) + 1, 0);
    for (const NodeId id : nodes)
        ++counts[m_document.tags()[id] < 0 ? counts.size() - 1 : static_cast<std::size_t>(m_document.tags()[id])];
    for (std::size_t tag = 0; tag < counts.size(); ++tag)
        if (counts[tag] > 0)
            shares.push_back({tag + 1 == counts.size() ? -1 : static_cast<int>(tag),
                              static_cast<double>(counts[tag]) / static_cast<double>(nodes.size())});
    return shares;
}

int OccurrenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_order.rowCount();
}

QVariant OccurrenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole: return nameAt(row);
    case NodeRole: return nodeAt(row);
    case SharesRole:
        return QVariant::fromValue(m_place ? TagShares{{m_document.tags()[m_order.nodesAt(row)[*m_place]], 1.0}} : sharesAt(row));
    case LitRole: return m_isLit[static_cast<std::size_t>(row)] != 0;
    case Qt::ToolTipRole:
        return folded((m_place ? tr("%1 in %2").arg(nodeAt(row), nameAt(row)) : nameAt(row))
                      + tr("\nOccurrence %1 of %2").arg(row + 1).arg(rowCount()));
    case Qt::AccessibleTextRole:
        return (m_place ? QStringLiteral("%1, %2").arg(nameAt(row), nodeAt(row)) : nameAt(row))
            + tr(", occurrence %1 of %2").arg(row + 1).arg(rowCount());
    default: return {};
    }
}

} // namespace sunder

#include "moc_occurrence_model.cpp"
