#include "panes/regions/regions_pane.h"

#include "document/passes/pass.h"
#include "document/text.h"
#include "models/paint_menu.h"
#include "models/tag_style_of.h"
#include "panes/regions/ui_regions_pane.h"
#include "passes/deduplicate/sharing_summary.h"
#include "support/json_writer.h"
#include "text/amounts.h"

#include <QMenu>
#include <QScopedValueRollback>

namespace sunder {
namespace {
constexpr const char* kKeptCard = "card"; ///< rows in a viewState()
constexpr const char* kKeptOccurrence = "occurrence";
constexpr const char* kKeptTab = "tab";
} // namespace

// Content ------------------------------------------------------------------------------------------

void RegionsPane::showResult()
{
    const RegionsOutcomePtr before = std::exchange(m_shown, result<RegionsOutcomePtr>());
    const QScopedValueRollback following(m_following, true);
    m_card = -1;
    m_details.reset();
    m_graph->setDetails(nullptr, {});
    if (m_main != nullptr) {
        m_main->disconnect(this);
        m_main->deleteLater();
        m_main = nullptr;
    }
    m_occurrences->setGroup(nullptr);
    m_ui->side->setReasons({});
    m_ui->side->setCards({});
    m_ui->side->setSharing({}, false);
    m_elsewhere->paintAll().setGroup(std::nullopt);
    m_index = {};
    m_selectedInRun.clear();
    m_tabs->setCurrentIndex(0);
    m_tabs->setVisible(m_shown && m_shown->dedup);
    m_options->show({}, {});
    m_options->action(QStringLiteral("key=tracked"))
        .setEnabled(!m_shown || regionKeyFor(document().graph()) == RegionKey::tracked); // without a run, the pass reports it
    if (m_shown) {
        m_options->show(m_shown->pass, m_shown->options);
        m_index = RegionIndex(m_shown->regions, document().graph().idBound());
        m_ui->side->setCards(regionFigures(m_shown->regions, dedupOf(*m_shown), document().snapshot()->sizes));
        m_ui->side->setSharing(m_shown->sharing, m_shown->dedup.has_value());
    }
    showEmpty();
    m_ui->side->choose(0); // shows the first card, if any
    Jobs::discard(before);
}

void RegionsPane::showEmpty()
{
    const bool isEmpty = m_ui->side->cardModel().rowCount() == 0;
    m_ui->stack->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_ui->empty) : m_ui->body);
    if (!isEmpty || !m_shown) {
        m_ui->empty->clear();
        return;
    }
    QStringList lines{tr("The model has no repeated regions.")};
    if (const std::size_t dropped = m_shown->regions.rejected.size(); dropped > 0)
        lines << tr("%1 looked alike but cannot share a subgraph. The first reason: %2")
                     .arg(countText(dropped, "region"), sentence(m_shown->regions.rejected.front().why));
    lines << tr("Under Options ▾, compare ops by structure instead of tracked keys, or find the regions that PyTorch finds.");
    m_ui->empty->setText(withShortWords(lines.join(QStringLiteral("\n\n"))));
}

QString RegionsPane::emptyText() const
{
    return m_ui->stack->currentWidget() == m_ui->empty ? m_ui->empty->text() : QString();
}

GraphView* RegionsPane::graphInFront()
{
    return card() == nullptr ? nullptr : static_cast<GraphView*>(m_ui->graphs->currentWidget());
}

std::string RegionsPane::viewState() const
{
    if (m_card < 0)
        return {};
    JsonWriter json(0);
    json.object([&] {
        json.member(kKeptCard, m_card);
        json.member(kKeptOccurrence, currentRow());
        json.member(kKeptTab, m_tabs->currentIndex());
    });
    return json.takeRaw();
}

void RegionsPane::restoreViewState(JsonValue kept)
{
    const int card = kept.member(kKeptCard).intOr(-1);
    if (!m_shown || card < 0 || card >= m_ui->side->cardModel().rowCount())
        return;
    m_ui->side->choose(card);
    if (const int row = kept.member(kKeptOccurrence).intOr(0); row >= 0 && row < m_occurrences->rowCount())
        setCurrentRow(row);
    if (m_shown->dedup)
        m_tabs->setCurrentIndex(std::clamp(kept.member(kKeptTab).intOr(0), 0, m_tabs->count() - 1));
}

void RegionsPane::showTab(int tab)
{
    if (tab == 0 || !m_shown || !m_shown->dedup) {
        m_ui->graphs->setCurrentWidget(m_graph);
        return;
    }
    if (m_main == nullptr) {
        m_main = new RunGraphView(document(), m_jobs, m_engine, QStringLiteral("deduplicated"), m_ui->graphs);
        link(*m_main);
        m_ui->graphs->addWidget(m_main);
        m_main->setRun(runNumber(), {m_shown, &m_shown->dedup->program}, m_shown->dedup->program.root, tr("main graph"));
        m_main->setStandIns(m_shown->dedup ? regionCalls(m_shown->regions, *m_shown->dedup) : std::vector<Representative>());
        refreshGraphTags();
        m_main->showSelection(m_selectedInRun, m_main->representativesFor(document().marks().selection().source));
    }
    m_ui->graphs->setCurrentWidget(m_main);
}

const RegionFigures* RegionsPane::card() const
{
    const std::vector<RegionFigures>& cards = m_ui->side->cardModel().cards();
    return m_card >= 0 && static_cast<std::size_t>(m_card) < cards.size() ? &cards[static_cast<std::size_t>(m_card)] : nullptr;
}

const RegionGroup* RegionsPane::group() const
{
    return card() == nullptr || !m_shown ? nullptr : &m_shown->regions.groups[card()->group];
}

void RegionsPane::showCard(int row)
{
    if (!m_shown || row < 0 || row >= m_ui->side->cardModel().rowCount())
        return;
    const QScopedValueRollback following(m_following, true);
    m_card = row;
    m_details.reset();
    m_selected.clear();
    m_hovered.clear();
    const std::size_t number = card()->group;
    m_index.put(m_shown->regions, number);
    m_graph->setDetails(nullptr, {});
    m_ui->side->setReasons({});
    m_occurrences->setGroup(group());
    m_elsewhere->paintAll().setGroup(refOf(*card()));
    setCurrentRow(m_occurrences->order().rowOf(0));
    showPlace();

    m_jobs.start<std::shared_ptr<const RegionDetails>>(
        {.key = QStringLiteral("region details"), .title = tr("Analyze %1").arg(text(card()->name)), .quiet = true},
        [snapshot = document().snapshot(), outcome = m_shown, number](ProgressMonitor&) {
            return regionDetails(snapshot->program, optionsIn<RegionOptions>(outcome->options), outcome->regions,
                                 dedupOf(*outcome), number);
        },
        this,
        [this, outcome = m_shown, number](Result<std::shared_ptr<const RegionDetails>> details) {
            if (details && outcome == m_shown && card() != nullptr && card()->group == number)
                takeDetails(std::move(*details));
        });
    showSelection(document().marks().selectedIn(runNumber()));
}

void RegionsPane::takeDetails(std::shared_ptr<const RegionDetails> details)
{
    m_details = std::move(details);
    std::vector<ReasonModel::Reason> reasons = reasonsOf(m_details->boundaries, document().snapshot()->program,
                                                         m_ui->side->cardModel().cards());
    for (ReasonModel::Reason& reason : leftOutOf(*m_shown))
        reasons.push_back(std::move(reason));
    m_ui->side->setReasons(std::move(reasons));
    m_occurrences->setNames(m_details->names);
    showPlace();
    m_graph->setDetails(m_details, text(card()->name));
    refreshGraphTags();
    m_graph->showSelected(m_selected);
    showFound();
}

// Appearance ------------------------------------------------------------------------------------------

/// Returns the tag per node of the deduplicated model's main graph, for copies of ops.
std::vector<std::int32_t> RegionsPane::tagsInMain() const
{
    const DedupResult& made = *m_shown->dedup;
    std::vector<std::int32_t> tagOf(made.program.rootGraph().idBound(), PictureStyle::kTakesNoTag);
    for (const IdentityMap::Pair& pair : made.map.pairs())
        if (!pair.created && pair.result.graph == made.program.root && document().snapshot()->isCall(pair.source.node))
            tagOf[pair.result.node.index()] = document().tags()[pair.source.node];
    return tagOf;
}

void RegionsPane::refreshGraphTags()
{
    const Theme& theme = currentTheme();
    if (m_main != nullptr && m_shown && m_shown->dedup) {
        m_main->canvas().setTheme(theme);
        m_main->canvas().setTags(shownLooksOf(document(), theme), tagsInMain(),
                                 tagsWithinOf(document(), m_main->representatives()));
    }
    if (group() == nullptr || !m_details || currentRow() < 0)
        return;
    std::vector<std::int32_t> tags;
    for (const NodeId id : m_occurrences->order().nodesAt(currentRow()))
        tags.push_back(document().tags()[id]);
    m_graph->setTags(theme, shownLooksOf(document(), theme), tags);
}

void RegionsPane::refreshTheme()
{
    refreshGraphTags();
    m_elsewhere->paintAll().refresh();
    for (QListView* view : {&cards(), m_ui->rail, &elsewhere(), &reasons()})
        view->viewport()->update();
}

void RegionsPane::documentChanged(Changes what)
{
    if (what & (Change::activeTag | Change::tagList))
        m_elsewhere->paintAll().refresh();
    if (!what.testFlag(Change::tags) || what.testFlag(Change::program) || group() == nullptr)
        return;
    m_occurrences->refreshTags();
    refreshGraphTags();
}

// Commands on all occurrences ---------------------------------------------------------------------------

RegionGroupRef RegionsPane::refOf(const RegionFigures& card) const
{
    return {m_shown, card.group, text(titleOf(card))};
}

void RegionsPane::addOccurrenceActions(QMenu& menu)
{
    const std::optional<std::size_t> found = m_shown ? groupOfSelection() : std::nullopt;
    const int row = found ? m_ui->side->cardModel().rowOf(*found) : -1;
    if (row < 0)
        return;
    const RegionGroupRef ref = refOf(m_ui->side->cardModel().cards()[static_cast<std::size_t>(row)]);
    QMenu* all = menu.addMenu(tr("All occurrences of this region (%1)").arg(caption(ref.title)));
    all->addAction(tr("Select %1").arg(countText(ref.regions().nodes.size(), "op")), this,
                   [this, ref] { select(ref.regions().nodes); });
    all->addSeparator();
    addPaintActions(*all, document(), ref);
}

void RegionsPane::showMenu(const QPoint& globalPosition)
{
    if (card() == nullptr)
        return;
    QMenu menu(this);
    const RegionGroupRef ref = refOf(*card());
    menu.addAction(tr("Select all occurrences of %1 (%2)").arg(text(card()->name), countText(group()->nodes.size(), "op")), this,
                   [this, ref] { select(ref.regions().nodes); });
    if (currentRow() >= 0)
        menu.addAction(tr("Select %1").arg(caption(m_occurrences->nameAt(currentRow()))), this,
                       [this] { goTo(currentRow(), true); });
    if (currentRow() >= 0) {
        const auto region = m_occurrences->order().nodesAt(currentRow());
        const QString name = m_occurrences->nameAt(currentRow());
        addPaintActions(*menu.addMenu(tr("Paint only %1").arg(caption(name))), document(),
                        {std::vector<NodeId>(region.begin(), region.end()), name});
    }
    menu.addSeparator();
    addPaintActions(menu, document(), ref);
    menu.exec(globalPosition);
}

} // namespace sunder

#include "moc_regions_pane.cpp"
