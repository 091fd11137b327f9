#include "panes/regions/region_cards_panel.h"

#include "panes/regions/reason_delegate.h"
#include "panes/regions/region_card_delegate.h"
#include "panes/regions/region_list.h"

#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

RegionCardsPanel::RegionCardsPanel(QWidget* parent)
    : QWidget(parent), m_cardModel(new RegionCardModel(this)), m_reasonModel(new ReasonModel(this)),
      m_cards(makeRegionList(*m_cardModel, tr("Groups of repeated regions"),
                             tr("By what they save. The menu key offers to select or paint all occurrences."), this)),
      m_reasons(makeRegionList(*m_reasonModel, tr("Why these regions end where they do"),
                               tr("Enter shows in the source what a line is about."), this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(140);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(4);
    m_cards->setItemDelegate(new RegionCardDelegate(m_cards));
    m_cards->setContextMenuPolicy(Qt::CustomContextMenu);
    m_reasons->setItemDelegate(new ReasonDelegate(m_reasons));
    column->addWidget(m_cards, 3);
    column->addWidget(m_reasons, 2);
    connect(m_cards->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    const auto show = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const ReasonModel::Reason& reason = m_reasonModel->reasons()[static_cast<std::size_t>(index.row())];
        if (!reason.nodes.empty())
            emit nodesChosen(reason.nodes);
    };
    connect(m_reasons, &QListView::clicked, this, show);
    connect(m_reasons, &QListView::activated, this, show);
}

/// Few cards take no more room than they need, so that the reasons stand right below.
void RegionCardsPanel::setCards(std::vector<RegionCard> cards)
{
    constexpr int kAllShown = 20;
    m_cardModel->setCards(std::move(cards));
    const int count = m_cardModel->rowCount();
    int height = 4;
    for (int row = 0; row < std::min(kAllShown, count); ++row)
        height += m_cards->sizeHintForRow(row);
    m_cards->setMaximumHeight(count <= kAllShown ? height : QWIDGETSIZE_MAX);
}

void RegionCardsPanel::setReasons(std::vector<ReasonModel::Reason> reasons)
{
    m_reasonModel->setReasons(std::move(reasons));
}

void RegionCardsPanel::choose(int row)
{
    m_cards->setCurrentIndex(m_cardModel->index(row));
}

} // namespace sunder
