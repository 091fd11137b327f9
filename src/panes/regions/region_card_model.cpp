#include "panes/regions/region_card_model.h"

#include "document/text.h"
#include "support/format.h"
#include "text/amounts.h"

namespace sunder {

void RegionCardModel::setCards(std::vector<RegionFigures> cards)
{
    beginResetModel();
    m_cards = std::move(cards);
    endResetModel();
}

int RegionCardModel::rowOf(std::size_t group) const
{
    for (std::size_t row = 0; row < m_cards.size(); ++row)
        if (m_cards[row].group == group)
            return static_cast<int>(row);
    return -1;
}

int RegionCardModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cards.size());
}

QString RegionCardModel::savingOf(const RegionFigures& card)
{
    return card.saved == 0 ? tr("not shared") : tr("saves %1").arg(countText(card.saved, "op"));
}

QString RegionCardModel::weightOf(const RegionFigures& card)
{
    QStringList parts;
    if (card.isShared && card.shared < card.count)
        parts << tr("%1 of %2 shared").arg(card.shared).arg(card.count);
    if (card.bytes > 0 && card.count > 0)
        parts << tr("%1 each").arg(bytesText(card.bytes / card.count));
    return parts.join(QStringLiteral(" · "));
}

QVariant RegionCardModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RegionFigures& card = m_cards[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(titleOf(card));
    case DetailRole: return savingOf(card);
    case WeightRole: return weightOf(card);
    case OpsRole: return countText(card.length, "op");
    case Qt::ToolTipRole: {
        QStringList lines{
            tr("%1: %2 of %3.").arg(text(card.name), countText(card.count, "repeated region"), countText(card.length, "op"))};
        if (card.isShared)
            lines << tr("%1 became calls of one subgraph, which saves %2.")
                         .arg(text(formatCount(card.shared)), countText(card.saved, "op"));
        else if (card.saved > 0)
            lines << tr("Deduplicating them would save %1.").arg(countText(card.saved, "op"));
        if (card.bytes > 0)
            lines << tr("Weights in total: %1.").arg(bytesText(card.bytes));
        lines << tr("Right-click to select or paint all occurrences.");
        return lines.join(QLatin1Char('\n'));
    }
    case Qt::AccessibleTextRole:
        return QStringList{text(titleOf(card)), tr("%1 each").arg(countText(card.length, "op")), savingOf(card), weightOf(card)}
            .join(QStringLiteral(", "));
    default: return {};
    }
}

} // namespace sunder

#include "moc_region_card_model.cpp"
