#include "models/outline_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "text/amounts.h"

#include <algorithm>

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

const std::vector<std::int32_t>& OutlineModel::childrenOf(const QModelIndex& index) const
{
    return m_shown.isOn() ? m_shown.children[index.internalId()] : entry(index)->children;
}

const OutlineTree::Entry* OutlineModel::entry(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() < m_tree.entries.size() ? &m_tree.entries[index.internalId()] : nullptr;
}

QModelIndex OutlineModel::indexAt(std::int32_t entry) const
{
    if (entry < 0 || !m_shown.isShown(entry))
        return {};
    const auto at = static_cast<std::size_t>(entry);
    return createIndex(m_shown.isOn() ? m_shown.rows[at] : m_tree.entries[at].row, 0, static_cast<quintptr>(entry));
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent))
        return {};
    if (!parent.isValid())
        return indexAt(0);
    return indexAt(childrenOf(parent)[static_cast<std::size_t>(row)]);
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
    return at == nullptr || parent.column() != 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int OutlineModel::columnCount(const QModelIndex&) const
{
    return 1;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    const OutlineTree::Entry* at = entry(index);
    if (at == nullptr)
        return {};
    switch (role) {
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
