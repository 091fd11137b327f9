#pragma once

#include "panes/regions/reason_model.h"
#include "passes/deduplicate/sharing_summary.h"

#include <QAbstractListModel>
#include <QListView>
#include <memory>

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

namespace Ui {
class RegionCardsPanel;
}

/// The groups of repeated regions as cards, the boundary reasons of the current one, and the ops of the model outside all
/// regions.
class RegionCardsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RegionCardsPanel(QWidget* parent);
    ~RegionCardsPanel() override;
    [[nodiscard]] QListView& cards();
    [[nodiscard]] QListView& reasons();
    /// The ops that are not shared, one line per module.
    [[nodiscard]] QListView& rest();
    /// The title of that list.
    [[nodiscard]] QString restTitle() const;
    [[nodiscard]] const RegionCardModel& cardModel() const { return *m_cardModel; }
    void setCards(std::vector<RegionFigures> cards);
    void setReasons(std::vector<ReasonModel::Reason> reasons);
    /// Sets the summary of the shared (or, without sharing, repeated) ops and of the rest.
    void setSharing(const SharingSummary& sharing, bool isShared);
    /// Makes the card of this row the current one.
    void choose(int row);

signals:
    void chosen(int row);
    /// Emitted with the source nodes of a clicked line.
    void nodesChosen(const std::vector<sunder::NodeId>& nodes);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void limitRest();
    void link(QListView& lines, ReasonModel& model);

    RegionCardModel* m_cardModel;
    ReasonModel* m_reasonModel;
    ReasonModel* m_restModel;
    std::unique_ptr<Ui::RegionCardsPanel> m_ui;
};

} // namespace sunder
