#include "models/outline_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "text/amounts.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace sunder {

OutlineModel::OutlineModel(const Document& document, QObject* parent) : QAbstractItemModel(parent), m_document(document)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) {
            m_cut = nullptr;
            m_shares.clear();
        } else if (what.testFlag(Change::tags)) {
            sharesChanged();
        }
    });
}

void OutlineModel::sharesChanged()
{
    m_shares.clear();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(0, 0), {SharesRole});
}

void OutlineModel::showCut(const SplitOutcomePtr& cut)
{
    m_cut = m_document.isOpen() ? cut : nullptr;
    m_cutTable = m_cut ? cutTableOf(m_document, *m_cut) : std::vector<std::int32_t>();
    sharesChanged();
}

std::vector<TagLook> OutlineModel::looks(const Theme& theme) const
{
    return m_cut ? cutLooksOf(m_document, *m_cut, theme) : shownLooksOf(m_document, theme);
}

/// Returns the index of the tag or part; −1: none.
std::int32_t OutlineModel::tagOf(NodeId node) const
{
    if (!m_cut)
        return m_document.tags()[node];
    return node.index() < m_cutTable.size() ? std::max(m_cutTable[node.index()], PictureStyle::kUntagged)
                                            : PictureStyle::kUntagged;
}

OutlineTree OutlineModel::setTree(OutlineTree tree)
{
    beginResetModel();
    std::swap(m_tree, tree);
    filter();
    m_shares.clear();
    m_sums.clear();
    m_sorted.clear();
    m_sortedRows.clear();
    endResetModel();
    return tree;
}

void OutlineModel::setFilter(const QString& text)
{
    std::string wanted = text.toLower().toStdString();
    if (wanted == m_filter)
        return;
    beginResetModel();
    m_filter = std::move(wanted);
    filter();
    endResetModel();
}

void OutlineModel::filter()
{
    m_shown = {};
    m_sorted.clear();
    m_sortedRows.clear();
    if (m_filter.empty() || m_tree.entries.empty())
        return;
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto has = [&](std::string_view name) {
        const auto found = std::ranges::search(name, m_filter, {}, lower);
        return !found.empty();
    };
    m_shown = filteredTree(m_tree.entries, WithinMatches::shown, [&](std::int32_t at) {
        const OutlineTree::Entry& entry = m_tree.entries[static_cast<std::size_t>(at)];
        if (at == 0 || entry.kind == OutlineTree::Kind::group) // the root, and names composed of those of its modules
            return false;
        return has(entry.name.view()) || has(entry.cls.view()) || has(entry.path.view());
    });
}

std::vector<QModelIndex> OutlineModel::matches() const
{
    std::vector<QModelIndex> found;
    for (std::size_t i = 0; i < m_shown.isMatch.size(); ++i)
        if (m_shown.isMatch[i] != 0)
            found.push_back(indexAt(static_cast<std::int32_t>(i)));
    return found;
}

void OutlineModel::setFigures(const CostFiguresPtr& figures)
{
    if (m_figures == figures)
        return;
    const auto change = [&] {
        m_figures = figures;
        m_sums.clear();
    };
    if (m_isByCost) {
        emit layoutAboutToBeChanged();
        const QModelIndexList from = persistentIndexList();
        change();
        m_sorted.clear();
        m_sortedRows.clear();
        movePersistent(from);
        emit layoutChanged();
    } else {
        change();
        emit layoutAboutToBeChanged();
        emit layoutChanged();
    }
    emit headerDataChanged(Qt::Horizontal, CostColumn, CostColumn);
}

void OutlineModel::sort(int column, Qt::SortOrder order)
{
    const bool byCost = column == CostColumn;
    if (byCost == m_isByCost && (!byCost || order == m_order))
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList from = persistentIndexList();
    m_isByCost = byCost;
    m_order = order;
    m_sorted.clear();
    m_sortedRows.clear();
    movePersistent(from);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void OutlineModel::movePersistent(const QModelIndexList& from)
{
    QModelIndexList to;
    for (const QModelIndex& index : from)
        to.append(indexAt(static_cast<std::int32_t>(index.internalId())).siblingAtColumn(index.column()));
    changePersistentIndexList(from, to);
}

const CostFigure& OutlineModel::figureOf(std::int32_t entry) const
{
    const auto [at, isNew] = m_sums.try_emplace(entry);
    if (isNew && m_figures) {
        const OutlineTree::Entry& wanted = m_tree.entries[static_cast<std::size_t>(entry)];
        at->second = m_figures->sum(std::span(m_tree.nodes).subspan(wanted.begin, wanted.end - wanted.begin));
    }
    return at->second;
}

const std::vector<std::int32_t>& OutlineModel::childrenOf(std::int32_t entry) const
{
    const auto of = static_cast<std::size_t>(entry);
    const std::vector<std::int32_t>& inOrder = m_shown.isOn() ? m_shown.children[of] : m_tree.entries[of].children;
    if (!m_isByCost)
        return inOrder;
    const auto [at, isNew] = m_sorted.try_emplace(entry);
    if (!isNew)
        return at->second;
    // Rows without a value are last in either order.
    const auto key = [this](std::int32_t child) {
        const CostFigure& figure = figureOf(child);
        const double value = m_order == Qt::DescendingOrder ? -figure.value : figure.value;
        return std::tuple(figure.isKnown() ? 0 : figure.isEmpty() ? 2 : 1, figure.isKnown() ? value : 0);
    };
    std::vector<std::int32_t>& sorted = at->second;
    sorted = inOrder;
    std::ranges::stable_sort(sorted, std::less(), key);
    for (std::size_t row = 0; row < sorted.size(); ++row)
        m_sortedRows[sorted[row]] = static_cast<int>(row);
    return sorted;
}

int OutlineModel::rowOf(std::int32_t entry) const
{
    const OutlineTree::Entry& wanted = m_tree.entries[static_cast<std::size_t>(entry)];
    if (m_isByCost && wanted.parent >= 0) {
        (void)childrenOf(wanted.parent);
        return m_sortedRows.at(entry);
    }
    return m_shown.isOn() ? m_shown.rows[static_cast<std::size_t>(entry)] : wanted.row;
}

const OutlineTree::Entry* OutlineModel::entry(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() < m_tree.entries.size() ? &m_tree.entries[index.internalId()] : nullptr;
}

QModelIndex OutlineModel::indexAt(std::int32_t entry) const
{
    if (entry < 0 || !m_shown.isShown(entry))
        return {};
    return createIndex(rowOf(entry), 0, static_cast<quintptr>(entry));
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    if (column < 0 || column >= ColumnCount || row < 0 || row >= rowCount(parent))
        return {};
    if (!parent.isValid())
        return createIndex(0, column, quintptr(0));
    const std::int32_t entry = childrenOf(static_cast<std::int32_t>(parent.internalId()))[static_cast<std::size_t>(row)];
    return createIndex(row, column, static_cast<quintptr>(entry));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const
{
    const OutlineTree::Entry* at = entry(index);
    return at == nullptr ? QModelIndex() : indexAt(at->parent);
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_tree.entries.empty() ? 0 : 1;
    const OutlineTree::Entry* at = entry(parent);
    return at == nullptr || parent.column() != 0
        ? 0
        : static_cast<int>(childrenOf(static_cast<std::int32_t>(parent.internalId())).size());
}

int OutlineModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return section == NameColumn ? tr("Model order") : m_figures ? text(m_figures->name) : tr("Cost");
    if (role == Qt::ToolTipRole)
        return section == NameColumn ? tr("Sort as in the model")
                                     : tr("Figure and share of the model, a module with the sum of its ops. Click to sort");
    return {};
}

QVariant OutlineModel::costData(const QModelIndex& index, int role) const
{
    if (!m_figures)
        return {};
    const CostFigure& figure = figureOf(static_cast<std::int32_t>(index.internalId()));
    const QString whole = text(describe(*m_figures, figure));
    const QString share = text(costShareText(*m_figures, figure));
    switch (role) {
    case Qt::DisplayRole: return figure.isKnown() ? text(costText(m_figures->unit, figure.value)) : whole;
    case ShareRole: return share;
    case Qt::ToolTipRole: return share.isEmpty() ? whole : tr("%1: %2 of the model").arg(whole, share);
    case Qt::AccessibleTextRole: return share.isEmpty() ? whole : tr("%1, %2").arg(whole, share);
    default: return {};
    }
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    const OutlineTree::Entry* at = entry(index);
    if (at == nullptr)
        return {};
    if (index.column() == CostColumn && role < ClassRole)
        return costData(index, role);
    switch (role) {
    case ShareRole: return costData(index, role);
    case Qt::DisplayRole: return text(at->name);
    case ClassRole: return text(at->cls);
    case CountRole: return at->calls;
    case KindRole: return static_cast<int>(at->kind);
    case PathRole: return exact(at->path.view());
    case SharesRole: return QVariant::fromValue(sharesOf(*at));
    case Qt::ToolTipRole:
        if (at->kind == OutlineTree::Kind::module)
            return folded(
                tr("%1\n%2, %3")
                    .arg(at->path.empty() ? text(at->name) : text(at->path), text(at->cls), countText(at->calls, "op")));
        if (at->kind == OutlineTree::Kind::group)
            return folded(
                tr("%1\n%2 outside the modules below, %3").arg(text(at->name), text(at->cls), countText(at->calls, "op")));
        return folded(tr("%1\n%2").arg(text(m_document.graph()[at->node].name), text(m_document.graph()[at->node].target)));
    case Qt::AccessibleTextRole: return tr("%1, %2, %3").arg(text(at->name), text(at->cls), countText(at->calls, "op"));
    default: return {};
    }
}

const TagShares& OutlineModel::sharesOf(const OutlineTree::Entry& entry) const
{
    const auto [at, isNew] = m_shares.try_emplace(&entry);
    if (isNew)
        at->second = measure(entry);
    return at->second;
}

TagShares OutlineModel::measure(const OutlineTree::Entry& entry) const
{
    TagShares shares;
    if (!m_document.isOpen() || entry.calls == 0)
        return shares;
    const std::size_t tags = m_cut ? m_cut->tags.order.size() : static_cast<std::size_t>(m_document.tagCount());
    std::vector<double> weights(tags + 1, 0);
    std::vector<double> counts(tags + 1, 0);
    double bytes = 0;
    for (std::uint32_t i = entry.begin; i < entry.end; ++i) {
        const NodeId id = m_tree.nodes[i];
        if (!m_document.snapshot()->isCall(id))
            continue;
        const auto slot = static_cast<std::size_t>(tagOf(id) + 1);
        const auto weight = static_cast<double>(m_document.snapshot()->sizes.parameterBytes[id.index()]);
        weights[slot] += weight;
        counts[slot] += 1;
        bytes += weight;
    }
    const std::vector<double>& used = bytes > 0 ? weights : counts;
    const double whole = bytes > 0 ? bytes : entry.calls;
    for (std::size_t slot = 1; slot <= tags; ++slot)
        if (used[slot] > 0)
            shares.push_back({static_cast<int>(slot) - 1, used[slot] / whole});
    if (used[0] > 0)
        shares.push_back({-1, used[0] / whole});
    return shares;
}

std::vector<NodeId> OutlineModel::nodesOf(const QModelIndex& index) const
{
    const OutlineTree::Entry* at = entry(index);
    if (at == nullptr)
        return {};
    const auto begin = m_tree.nodes.begin();
    return {begin + at->begin, begin + at->end};
}

QModelIndex OutlineModel::indexOf(NodeId node) const
{
    return node && node.index() < m_tree.entryOf.size() ? indexAt(m_tree.entryOf[node.index()]) : QModelIndex();
}

QModelIndex OutlineModel::indexOf(const QString& path) const
{
    for (std::size_t i = 0; i < m_tree.entries.size(); ++i)
        if (m_tree.entries[i].kind == OutlineTree::Kind::module && exact(m_tree.entries[i].path.view()) == path)
            return indexAt(static_cast<std::int32_t>(i));
    return {};
}

} // namespace sunder

#include "moc_outline_model.cpp"
