#pragma once

#include "passes/deduplicate/sharing_summary.h"

#include <QAbstractListModel>

namespace sunder {

/// The groups of a run as rows, sorted by savings.
class RegionCardModel final : public QAbstractListModel {
    Q_OBJECT

public:
    /// DetailRole: the savings; WeightRole: the number of shared regions if not all are, and the bytes of each; OpsRole: the length.
    enum Role { DetailRole = Qt::UserRole + 1, WeightRole, OpsRole };

    using QAbstractListModel::QAbstractListModel;

    void setCards(std::vector<RegionFigures> cards);
    [[nodiscard]] const std::vector<RegionFigures>& cards() const { return m_cards; }
    /// Returns the row of a group by its number in the result; −1: none.
    [[nodiscard]] int rowOf(std::size_t group) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] static QString savingOf(const RegionFigures& card);
    [[nodiscard]] static QString weightOf(const RegionFigures& card);

    std::vector<RegionFigures> m_cards;
};

} // namespace sunder
