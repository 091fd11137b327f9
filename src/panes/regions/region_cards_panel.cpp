#include "panes/regions/region_cards_panel.h"

#include "panes/regions/reason_delegate.h"
#include "panes/regions/region_card_delegate.h"
#include "panes/regions/ui_region_cards_panel.h"
#include "support/format.h"
#include "text/amounts.h"

#include <algorithm>
#include <ranges>

namespace sunder {
namespace {
constexpr std::size_t kMaxLines = 500; ///< a malicious file can have as many modules as nodes
} // namespace

RegionCardsPanel::RegionCardsPanel(QWidget* parent)
    : QWidget(parent), m_cardModel(new RegionCardModel(this)), m_reasonModel(new ReasonModel(this)),
      m_restModel(new ReasonModel(this)), m_ui(std::make_unique<Ui::RegionCardsPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    for (ElidedLabel* title : {m_ui->reasonsTitle, m_ui->restTitle}) {
        QFont bold = title->font();
        bold.setWeight(QFont::DemiBold);
        title->setFont(bold);
    }
    m_ui->reasonsTitle->setLine(tr("Why they end"), {});
    m_ui->reasonsTitle->hide();
    m_ui->cards->setModel(m_cardModel);
    m_ui->cards->setItemDelegate(new RegionCardDelegate(m_ui->cards));
    connect(m_ui->cards->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { emit chosen(index.row()); });
    link(*m_ui->reasons, *m_reasonModel);
    link(*m_ui->rest, *m_restModel);
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

QListView& RegionCardsPanel::rest()
{
    return *m_ui->rest;
}

QString RegionCardsPanel::restTitle() const
{
    return m_ui->restTitle->line();
}

void RegionCardsPanel::link(QListView& lines, ReasonModel& model)
{
    lines.setModel(&model);
    lines.setItemDelegate(new ReasonDelegate(&lines));
    const auto show = [this, &model](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const ReasonModel::Reason& reason = model.reasons()[static_cast<std::size_t>(index.row())];
        if (!reason.nodes.empty())
            emit nodesChosen(reason.nodes);
    };
    connect(&lines, &QListView::clicked, this, show);
    connect(&lines, &QListView::activated, this, show);
}

/// A short list of cards is only as high as needed, so that the reasons follow directly.
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
    m_ui->reasonsTitle->setVisible(!reasons.empty());
    m_reasonModel->setReasons(std::move(reasons));
}

void RegionCardsPanel::setSharing(const SharingSummary& sharing, bool isShared)
{
    const QString ops = countText(sharing.ops, "op");
    const QString calls = countText(sharing.calls, "call");
    const QString subgraphs = countText(sharing.subgraphs, "subgraph");
    m_ui->restTitle->setFigures(
        (isShared ? tr("%1 not shared") : tr("%1 in no region")).arg(text(formatCount(sharing.unshared()))),
        (isShared ? tr("Of %1, %2 became %3 of %4 with %5. Not shared:")
                  : tr("Of %1, %2 repeat: they could become %3 of %4 with %5. Not repeated:"))
            .arg(ops, text(formatCount(sharing.shared)), calls, subgraphs, countText(sharing.copies, "op")));
    m_ui->restTitle->setVisible(sharing.ops > 0);
    m_ui->rest->setVisible(sharing.ops > 0);
    std::vector<ReasonModel::Reason> lines;
    for (const UnsharedOps& place : sharing.rest | std::views::take(kMaxLines))
        lines.push_back({tr("%1 %2").arg(countText(place.nodes.size(), "op"), text(describePlace(place))),
                         place.nodes,
                         {},
                         place.why != UnsharedOps::Why::repeatNowhere});
    m_restModel->setReasons(std::move(lines));
}

void RegionCardsPanel::choose(int row)
{
    m_ui->cards->setCurrentIndex(m_cardModel->index(row));
}

} // namespace sunder

#include "moc_region_cards_panel.cpp"
