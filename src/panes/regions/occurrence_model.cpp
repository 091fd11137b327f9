#include "panes/regions/occurrence_model.h"

#include "document/text.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the path of the innermost module around these, e.g. "model.decoder" for "model.decoder.layers.0" and
/// "model.decoder.layers.1": an index belongs to its list.
QString moduleAround(const std::vector<QString>& names)
{
    if (names.empty() || std::ranges::any_of(names, [](const QString& name) { return name.contains(u' '); }))
        return {};
    qsizetype same = names.front().size();
    for (const QString& name : names)
        same = std::min<qsizetype>(same, std::ranges::mismatch(name, names.front()).in1 - name.begin());
    const auto isIndexed = [&](qsizetype dot) {
        return std::ranges::any_of(names,
                                   [dot](const QString& name) { return name.size() > dot + 1 && name[dot + 1].isDigit(); });
    };
    qsizetype dot = same > 0 ? names.front().lastIndexOf(u'.', same - 1) : -1;
    while (dot > 0 && isIndexed(dot))
        dot = names.front().lastIndexOf(u'.', dot - 1);
    return dot > 0 ? names.front().first(dot) : QString();
}

} // namespace

OccurrenceModel::OccurrenceModel(const Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document) {}

void OccurrenceModel::setGroup(const RegionGroup* group)
{
    beginResetModel();
    m_order = group == nullptr ? OccurrenceOrder() : OccurrenceOrder(*group, m_document.snapshot()->positions);
    m_names.clear();
    m_around.clear();
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
    m_around = moduleAround(m_names);
    announceAll({Qt::DisplayRole, ShortRole, Qt::ToolTipRole, Qt::AccessibleTextRole});
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

qsizetype OccurrenceModel::longestNode() const
{
    std::size_t longest = 0;
    for (const int row : {0, rowCount() - 1})
        if (row >= 0 && row < rowCount())
            for (const NodeId id : m_order.nodesAt(row))
                longest = std::max(longest, m_document.graph()[id].name.str().size());
    return static_cast<qsizetype>(longest);
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
    case ShortRole: return nameAt(row).sliced(m_around.isEmpty() ? 0 : m_around.size() + 1);
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
