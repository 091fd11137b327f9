#include "models/match_model.h"

#include "document/tag_transfer.h"
#include "document/text.h"

namespace sunder {
namespace {

constexpr std::array kKindOf = {MatchModel::Show::identity, MatchModel::Show::structure, MatchModel::Show::moved,
                                MatchModel::Show::inPlace,  MatchModel::Show::undecided, MatchModel::Show::added};

bool isSure(MatchKind kind)
{
    return kind == MatchKind::identity || kind == MatchKind::structure;
}

} // namespace

MatchModel::MatchModel(Document& document, QObject* parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::program | Change::basis))
            rebuild();
        else if (what.testFlag(Change::tags) && !m_rows.empty())
            emit dataChanged(index(0, TagColumn), index(rowCount() - 1, TagColumn));
    });
    rebuild();
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
    }
    endResetModel();
}

QString MatchModel::titleOf(Show show) const
{
    const std::array titles = {tr("To look at"), tr("By identity"), tr("By structure"), tr("Moved"),   tr("In place of others"),
                               tr("Undecided"),  tr("New"),         tr("Lost"),         tr("Accepted")};
    return QStringLiteral("%1 · %2").arg(titles[static_cast<std::size_t>(show)]).arg(count(show));
}

QString MatchModel::summary() const
{
    return m_transfer ? tr("Tags of %1: %2").arg(brief(visible(m_transfer->from)), summaryOf(*m_transfer)) : QString();
}

int MatchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatchModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MatchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return section == OpColumn ? tr("Op") : section == WhyColumn ? tr("What it is") : tr("Tag");
}

QString MatchModel::tagText(const Row& row) const
{
    if (row.isLost) {
        const std::int32_t tag = m_transfer->oldTags[m_transfer->alignment.lost[row.index]];
        return tag < 0 ? tr("had none") : tr("had %1").arg(text(m_transfer->order[static_cast<std::size_t>(tag)]));
    }
    const std::int32_t tag = m_document.tags()[m_transfer->nodes[m_transfer->alignment.calls[row.index].node]];
    if (tag >= 0)
        return m_document.tagName(tag);
    const std::int32_t suggestion = m_transfer->carried.calls[row.index].suggestion;
    return suggestion < 0 ? tr("none") : tr("none; %1?").arg(text(m_transfer->order[static_cast<std::size_t>(suggestion)]));
}

QString MatchModel::textOf(const Row& row, int column) const
{
    if (column == TagColumn)
        return tagText(row);
    const GraphIdentity& graph = row.isLost ? m_transfer->old : m_transfer->now;
    const std::uint32_t node = row.isLost ? m_transfer->alignment.lost[row.index] : m_transfer->alignment.calls[row.index].node;
    if (column == OpColumn)
        return tr("%1 in %2").arg(text(graph.nodes[node].name), text(placeText(graph.modules[graph.nodes[node].module])));
    return row.isLost
        ? tr("no op is what it was")
        : text(reasonOf(m_transfer->old, m_transfer->alignment.calls[row.index], m_transfer->carried.calls[row.index]));
}

QVariant MatchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case Qt::ToolTipRole: return folded(textOf(row, index.column()));
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(textOf(row, OpColumn), textOf(row, WhyColumn), textOf(row, TagColumn));
    default: return {};
    }
}

std::optional<std::size_t> MatchModel::callOf(int row) const
{
    const Row& it = m_rows[static_cast<std::size_t>(row)];
    return it.isLost ? std::nullopt : std::optional(it.index);
}

std::vector<NodeId> MatchModel::nodesOf(int row) const
{
    const Row& it = m_rows[static_cast<std::size_t>(row)];
    return it.isLost ? aroundLost(*m_transfer, m_transfer->alignment.lost[it.index])
                     : std::vector<NodeId>{m_transfer->nodes[m_transfer->alignment.calls[it.index].node]};
}

} // namespace sunder
