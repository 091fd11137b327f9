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
