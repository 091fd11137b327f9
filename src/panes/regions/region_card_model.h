#pragma once

#include "document/runs/region_cards.h"

#include <QAbstractListModel>

namespace sunder {

/// The groups of a run as rows, by what they save.
class RegionCardModel final : public QAbstractListModel {
    Q_OBJECT

public:
    /// DetailRole: what it saves; WeightRole: how much of it is shared, and its bytes; OpsRole: its length.
    enum Role { DetailRole = Qt::UserRole + 1, WeightRole, OpsRole };

    using QAbstractListModel::QAbstractListModel;

    void setCards(std::vector<RegionCard> cards);
    [[nodiscard]] const std::vector<RegionCard>& cards() const { return m_cards; }
    /// Row of a group by its number in the result; −1: none.
    [[nodiscard]] int rowOf(std::size_t group) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] static QString savingOf(const RegionCard& card);
    [[nodiscard]] static QString weightOf(const RegionCard& card);

    std::vector<RegionCard> m_cards;
};

} // namespace sunder
