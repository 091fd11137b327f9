#pragma once

#include "panes/regions/reason_model.h"
#include "panes/regions/region_card_model.h"
#include "passes/deduplicate/sharing_summary.h"

#include <QListView>

#include <memory>

namespace sunder {

namespace Ui {
class RegionCardsPanel;
}

/// The groups of repeated regions as cards, below them why those of the one in sight end where they do, and which ops of the model
/// are in none.
class RegionCardsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RegionCardsPanel(QWidget* parent);
    ~RegionCardsPanel() override;
    [[nodiscard]] QListView& cards();
    [[nodiscard]] QListView& reasons();
    /// Ops that are not shared, a line a place.
    [[nodiscard]] QListView& rest();
    /// The line above them.
    [[nodiscard]] QString restTitle() const;
    [[nodiscard]] const RegionCardModel& cardModel() const { return *m_cardModel; }
    void setCards(std::vector<RegionFigures> cards);
    void setReasons(std::vector<ReasonModel::Reason> reasons);
    /// What of the model is shared, or only repeats, and what is not.
    void setSharing(const SharingSummary& sharing, bool isShared);
    /// Makes the card of this row the current one.
    void choose(int row);

signals:
    void chosen(int row);
    /// Nodes of the source that a line is about.
    void nodesChosen(const std::vector<sunder::NodeId>& nodes);

private:
    void link(QListView& lines, ReasonModel& model);

    RegionCardModel* m_cardModel;
    ReasonModel* m_reasonModel;
    ReasonModel* m_restModel;
    std::unique_ptr<Ui::RegionCardsPanel> m_ui;
};

} // namespace sunder
