#include "panes/regions/region_cards_panel.h"

#include "panes/regions/reason_delegate.h"
#include "panes/regions/region_card_delegate.h"
#include "panes/regions/ui_region_cards_panel.h"

#include <algorithm>

namespace sunder {

RegionCardsPanel::RegionCardsPanel(QWidget* parent)
    : QWidget(parent), m_cardModel(new RegionCardModel(this)), m_reasonModel(new ReasonModel(this)),
      m_ui(std::make_unique<Ui::RegionCardsPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->cards->setModel(m_cardModel);
    m_ui->cards->setItemDelegate(new RegionCardDelegate(m_ui->cards));
    m_ui->reasons->setModel(m_reasonModel);
    m_ui->reasons->setItemDelegate(new ReasonDelegate(m_ui->reasons));
    connect(m_ui->cards->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    const auto show = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const ReasonModel::Reason& reason = m_reasonModel->reasons()[static_cast<std::size_t>(index.row())];
        if (!reason.nodes.empty())
            emit nodesChosen(reason.nodes);
    };
    connect(m_ui->reasons, &QListView::clicked, this, show);
    connect(m_ui->reasons, &QListView::activated, this, show);
}

RegionCardsPanel::~RegionCardsPanel() = default;

QListView& RegionCardsPanel::cards()
{
    return *m_ui->cards;
}

QListView& RegionCardsPanel::reasons()
{
    return *m_ui->reasons;
}

/// Few cards take no more room than they need, so that the reasons stand right below.
void RegionCardsPanel::setCards(std::vector<RegionFigures> cards)
{
    constexpr int kAllShown = 20;
    m_cardModel->setCards(std::move(cards));
    const int count = m_cardModel->rowCount();
    int height = 4;
    for (int row = 0; row < std::min(kAllShown, count); ++row)
        height += m_ui->cards->sizeHintForRow(row);
    m_ui->cards->setMaximumHeight(count <= kAllShown ? height : QWIDGETSIZE_MAX);
}

void RegionCardsPanel::setReasons(std::vector<ReasonModel::Reason> reasons)
{
    m_reasonModel->setReasons(std::move(reasons));
}

void RegionCardsPanel::choose(int row)
{
    m_ui->cards->setCurrentIndex(m_cardModel->index(row));
}

} // namespace sunder

#include "moc_region_cards_panel.cpp"
