#include "models/match_model.h"

#include "document/tag_transfer.h"
#include "document/text.h"
#include "support/text.h"
#include "text/amounts.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::array kKindOf = {MatchModel::Show::identity, MatchModel::Show::structure, MatchModel::Show::moved,
                                MatchModel::Show::inPlace,  MatchModel::Show::undecided, MatchModel::Show::added};

bool isSure(MatchKind kind)
{
    return kind == MatchKind::identity || kind == MatchKind::structure;
}

} // namespace

MatchModel::MatchModel(Document& document, QObject* parent) : QAbstractItemModel(parent), m_document(document)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::basis))
            rebuild();
        else if (what.testFlag(Change::tags))
            noteTags();
    });
    rebuild();
}

void MatchModel::noteTags()
{
    if (m_groups.empty())
        return;
    emit dataChanged(index(0, TagColumn), index(rowCount() - 1, TagColumn));
    for (int row = 0; row < rowCount(); ++row)
        if (const QModelIndex group = index(row, 0); rowCount(group) > 0)
            emit dataChanged(index(0, TagColumn, group), index(rowCount(group) - 1, TagColumn, group));
}

void MatchModel::setShow(Show show)
{
    m_show = show;
    rebuild();
}

bool MatchModel::isShown(const AlignedCall& call, bool isAccepted, Show show) const
{
    if (show == Show::accepted)
        return isAccepted;
    if (show == Show::open)
        return !isSure(call.kind) && !isAccepted;
    return kKindOf[static_cast<std::size_t>(call.kind)] == show;
}

void MatchModel::rebuild()
{
    beginResetModel();
    m_transfer = m_document.isOpen() ? m_document.basis().transfer : nullptr;
    m_rows.clear();
    m_groups.clear();
    m_counts.fill(0);
    if (m_transfer) {
        const std::vector<bool>& accepted = m_document.basis().accepted;
        for (std::size_t i = 0; i < m_transfer->alignment.calls.size(); ++i)
            for (int show = 0; show < kShows; ++show)
                if (isShown(m_transfer->alignment.calls[i], accepted[i], static_cast<Show>(show))) {
                    ++m_counts[static_cast<std::size_t>(show)];
                    if (static_cast<Show>(show) == m_show)
                        m_rows.push_back({.isLost = false, .index = i});
                }
        const int lost = static_cast<int>(m_transfer->alignment.lost.size());
        m_counts[static_cast<std::size_t>(Show::lost)] = lost;
        for (int i = 0; i < lost && m_show == Show::lost; ++i)
            m_rows.push_back({.isLost = true, .index = static_cast<std::size_t>(i)});
        m_groups = groupsOf(*m_transfer, m_rows);
    }
    endResetModel();
}

QString MatchModel::titleOf(Show show) const
{
    const std::array titles = {tr("Needs review"), tr("By identity"), tr("By structure"), tr("Moved"),   tr("Replacements"),
                               tr("Undecided"),    tr("New"),         tr("Lost"),         tr("Accepted")};
    return QStringLiteral("%1 · %2").arg(titles[static_cast<std::size_t>(show)]).arg(count(show));
}

QString MatchModel::summary() const
{
    if (!m_transfer)
        return {};
    const QString what = tr("Tags of %1: %2").arg(brief(visible(m_transfer->from)), summaryOf(*m_transfer));
    return count(Show::open) > 0 ? what : tr("%1; nothing left to review").arg(what);
}

QModelIndex MatchModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

/// The internal id of a row in a group is the number of the group, from 1.
QModelIndex MatchModel::parent(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() > 0 ? createIndex(static_cast<int>(index.internalId()) - 1, 0) : QModelIndex();
}

int MatchModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() > 0 || parent.column() > 0)
        return 0;
    const MatchGroup& group = m_groups[static_cast<std::size_t>(parent.row())];
    return group.count > 1 ? static_cast<int>(group.count) : 0;
}

int MatchModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

std::span<const MatchRow> MatchModel::rowsOf(const QModelIndex& index) const
{
    const auto row = static_cast<std::size_t>(index.row());
    const std::span<const MatchRow> all = m_rows;
    if (index.internalId() > 0)
        return all.subspan(m_groups[index.internalId() - 1].first + row, 1);
    return all.subspan(m_groups[row].first, m_groups[row].count);
}

QVariant MatchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return section == OpColumn ? tr("Op") : section == WhyColumn ? tr("Match") : tr("Tag");
}

QString MatchModel::tagText(const MatchRow& row) const
{
    if (row.isLost) {
        const std::int32_t tag = m_transfer->oldTags[m_transfer->alignment.lost[row.index]];
        return tag < 0 ? tr("was untagged") : tr("was %1").arg(text(m_transfer->order[static_cast<std::size_t>(tag)]));
    }
    const std::int32_t tag = m_document.tags()[m_transfer->nodes[m_transfer->alignment.calls[row.index].node]];
    if (tag >= 0)
        return m_document.tagName(tag);
    const std::int32_t suggestion = m_transfer->carried.calls[row.index].suggestion;
    return suggestion < 0 ? tr("none") : tr("none; %1?").arg(text(m_transfer->order[static_cast<std::size_t>(suggestion)]));
}

QString MatchModel::textOf(const MatchRow& row, int column) const
{
    if (column == TagColumn)
        return tagText(row);
    const GraphIdentity& graph = row.isLost ? m_transfer->old : m_transfer->now;
    const std::uint32_t node = row.isLost ? m_transfer->alignment.lost[row.index] : m_transfer->alignment.calls[row.index].node;
    if (column == OpColumn)
        return tr("%1 in %2").arg(text(graph.nodes[node].name), text(placeText(graph.modules[graph.nodes[node].module])));
    return row.isLost
        ? tr("not in this export")
        : text(reasonOf(m_transfer->old, m_transfer->alignment.calls[row.index], m_transfer->carried.calls[row.index]));
}

QString MatchModel::textOf(const QModelIndex& index, int column) const
{
    const std::span<const MatchRow> rows = rowsOf(index);
    if (rows.size() == 1)
        return textOf(rows.front(), column);
    if (column == OpColumn)
        return tr("%1 in %2").arg(countText(rows.size(), "op"), m_groups[static_cast<std::size_t>(index.row())].block);
    if (column == WhyColumn)
        return reasonOf(*m_transfer, rows);
    const QString first = tagText(rows.front());
    return std::ranges::all_of(rows, [&](const MatchRow& row) { return tagText(row) == first; }) ? first : tr("several");
}

QVariant MatchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return textOf(index, index.column());
    case Qt::ToolTipRole: return folded(textOf(index, index.column()));
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(textOf(index, OpColumn), textOf(index, WhyColumn), textOf(index, TagColumn));
    default: return {};
    }
}

std::vector<std::size_t> MatchModel::callsOf(const QModelIndex& index) const
{
    std::vector<std::size_t> calls;
    for (const MatchRow& row : rowsOf(index))
        if (!row.isLost)
            calls.push_back(row.index);
    return calls;
}

std::vector<std::size_t> MatchModel::calls() const
{
    std::vector<std::size_t> calls;
    for (const MatchRow& row : m_rows)
        if (!row.isLost)
            calls.push_back(row.index);
    return calls;
}

std::vector<NodeId> MatchModel::nodesOf(const QModelIndex& index) const
{
    std::vector<NodeId> nodes;
    for (const MatchRow& row : rowsOf(index)) {
        if (!row.isLost) {
            nodes.push_back(m_transfer->nodes[m_transfer->alignment.calls[row.index].node]);
            continue;
        }
        for (const NodeId near : aroundLost(*m_transfer, m_transfer->alignment.lost[row.index]))
            if (std::ranges::find(nodes, near) == nodes.end())
                nodes.push_back(near);
    }
    return nodes;
}

namespace {

constexpr std::size_t kMinRows = 3;

/// Returns the block of a node: its module path up to the first number, or else the outermost module.
std::string_view blockOf(const GraphIdentity& graph, std::uint32_t node)
{
    const std::string_view path = graph.modules[graph.nodes[node].module].path.view();
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t end = std::min(path.find('.', from), path.size());
        if (isAsciiNumber(path.substr(from, end - from)))
            return path.substr(0, end);
        from = end + 1;
    }
    return path.substr(0, path.find('.'));
}

std::string_view blockOf(const TagTransfer& transfer, const MatchRow& row)
{
    return row.isLost ? blockOf(transfer.old, transfer.alignment.lost[row.index])
                      : blockOf(transfer.now, transfer.alignment.calls[row.index].node);
}

bool isAlike(const TagTransfer& transfer, const MatchRow& a, const MatchRow& b)
{
    if (a.isLost != b.isLost || blockOf(transfer, a) != blockOf(transfer, b))
        return false;
    if (a.isLost)
        return transfer.oldTags[transfer.alignment.lost[a.index]] == transfer.oldTags[transfer.alignment.lost[b.index]];
    const AlignedCall& one = transfer.alignment.calls[a.index];
    const AlignedCall& other = transfer.alignment.calls[b.index];
    const CarriedTag& tag = transfer.carried.calls[a.index];
    const CarriedTag& otherTag = transfer.carried.calls[b.index];
    return one.kind == other.kind && one.mayBeNew == other.mayBeNew && one.hasMore == other.hasMore && tag.tag == otherTag.tag
        && tag.suggestion == otherTag.suggestion && tag.isEitherWay == otherTag.isEitherWay;
}

/// Names the blocks of the old ops that the rows match or may match: "layers.2", "layers.2 or layers.3", "layers.2, layers.3 and
/// 4 more".
QString blocksOf(const TagTransfer& transfer, std::span<const MatchRow> group, const QString& lastWord)
{
    constexpr qsizetype kShown = 3;
    QStringList blocks;
    const auto note = [&](std::uint32_t old) {
        const std::string_view block = blockOf(transfer.old, old);
        const QString name = block.empty() ? QObject::tr("the model") : brief(text(block));
        if (!blocks.contains(name))
            blocks << name;
    };
    for (const MatchRow& row : group) {
        const AlignedCall& call = transfer.alignment.calls[row.index];
        if (call.old != AlignedCall::kNone)
            note(call.old);
        for (const std::uint32_t other : call.others)
            note(other);
    }
    if (blocks.size() > kShown)
        return QObject::tr("%1 and %2 more").arg(blocks.first(kShown).join(QStringLiteral(", "))).arg(blocks.size() - kShown);
    if (blocks.size() < 2)
        return blocks.join(QString());
    const QString last = blocks.takeLast();
    return QStringLiteral("%1 %2 %3").arg(blocks.join(QStringLiteral(", ")), lastWord, last);
}

} // namespace

std::vector<MatchGroup> groupsOf(const TagTransfer& transfer, std::span<const MatchRow> rows)
{
    std::vector<MatchGroup> groups;
    for (std::size_t from = 0; from < rows.size();) {
        std::size_t end = from + 1;
        while (end < rows.size() && isAlike(transfer, rows[from], rows[end]))
            ++end;
        const std::string_view block = blockOf(transfer, rows[from]);
        if (end - from >= kMinRows && !block.empty())
            groups.push_back({.first = from, .count = end - from, .block = brief(text(block))});
        else
            for (std::size_t row = from; row < end; ++row)
                groups.push_back({.first = row});
        from = end;
    }
    return groups;
}

QString reasonOf(const TagTransfer& transfer, std::span<const MatchRow> group)
{
    const MatchRow& row = group.front();
    if (row.isLost)
        return QObject::tr("not in this export");
    const AlignedCall& call = transfer.alignment.calls[row.index];
    const bool isEitherWay = transfer.carried.calls[row.index].isEitherWay;
    switch (call.kind) {
    case MatchKind::identity: return QObject::tr("the same");
    case MatchKind::structure:
        return QObject::tr("match ops in %1 by structure").arg(blocksOf(transfer, group, QObject::tr("and")));
    case MatchKind::moved: return QObject::tr("the same, with different inputs");
    case MatchKind::inPlace:
        return QObject::tr("replace ops in %1").arg(blocksOf(transfer, group, QObject::tr("and")))
            + (isEitherWay ? QString() : QObject::tr("; their tags differ"));
    case MatchKind::undecided: {
        const QString blocks = blocksOf(transfer, group, QObject::tr("or"));
        return (blocks.isEmpty() ? QObject::tr("many possible matches") : QObject::tr("may match ops in %1").arg(blocks))
            + (call.mayBeNew ? QObject::tr(", or be new") : QString())
            + (isEitherWay ? QObject::tr("; the tag is the same either way") : QString());
    }
    case MatchKind::added: break;
    }
    return QObject::tr("new");
}

} // namespace sunder

#include "moc_match_model.cpp"
