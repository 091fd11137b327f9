#pragma once

#include "panes/regions/reason_model.h"
#include "panes/regions/region_card_model.h"

#include <QListView>

#include <memory>

namespace sunder {

namespace Ui {
class RegionCardsPanel;
}

/// The groups of repeated regions as cards, and below them why those of the one in sight end where they do.
class RegionCardsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RegionCardsPanel(QWidget* parent);
    ~RegionCardsPanel() override;
    [[nodiscard]] QListView& cards();
    [[nodiscard]] QListView& reasons();
    [[nodiscard]] const RegionCardModel& cardModel() const { return *m_cardModel; }
    void setCards(std::vector<RegionFigures> cards);
    void setReasons(std::vector<ReasonModel::Reason> reasons);
    /// Makes the card of this row the current one.
    void choose(int row);

signals:
    void chosen(int row);
    /// Nodes of the source that a reason is about.
    void nodesChosen(const std::vector<sunder::NodeId>& nodes);

private:
    RegionCardModel* m_cardModel;
    ReasonModel* m_reasonModel;
    std::unique_ptr<Ui::RegionCardsPanel> m_ui;
};

} // namespace sunder
