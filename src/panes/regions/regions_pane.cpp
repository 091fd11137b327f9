#include "panes/regions/regions_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/format.h"

#include <QEvent>
#include <QScopedValueRollback>
#include <QStackedWidget>

#include <algorithm>
#include <numeric>

namespace sunder {

// What is shown ------------------------------------------------------------------------------------

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
    m_occurrences->reset({});
    m_reasons->setReasons({});
    m_cards->setCards({});
    m_index = {};
    m_selectedInRun.clear();
    m_tabs->setCurrentIndex(0);
    m_tabs->setVisible(m_shown && m_shown->dedup);
    m_options->showNone();
    if (m_shown) {
        m_options->show(m_shown->options, m_shown->dedup.has_value(),
                        regionKeyFor(document().graph()) == RegionKey::tracked);
        m_index = RegionIndex(m_shown->regions, document().graph().idBound());
        m_cards->setCards(regionCards(*m_shown, *document().snapshot()));
    }
    showEmpty();
    fitCards();
    if (m_cards->rowCount() > 0)
        m_cardView->setCurrentIndex(m_cards->index(0)); // shows it
    m_jobs.discard(before);
}

/// Few cards take no more room than they need, so that the reasons stand right below.
void RegionsPane::fitCards()
{
    constexpr int kAllShown = 20;
    int height = 4;
    for (int row = 0; row < std::min(kAllShown, m_cards->rowCount()); ++row)
        height += m_cardView->sizeHintForRow(row);
    m_cardView->setMaximumHeight(m_cards->rowCount() <= kAllShown ? height : QWIDGETSIZE_MAX);
}

void RegionsPane::showEmpty()
{
    const bool isEmpty = m_cards->rowCount() == 0;
    m_stack->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_empty) : m_body);
    if (!isEmpty || !m_shown) {
        m_empty->clear();
        return;
    }
    QStringList lines{tr("Nothing in this model repeats.")};
    if (const std::size_t dropped = m_shown->regions.rejected.size(); dropped > 0)
        lines << tr("%1 looked alike but cannot share a subgraph; the first: %2")
                     .arg(text(formatCount(dropped, "region")), sentence(m_shown->regions.rejected.front().why));
    lines << tr("Under Options ▾, regions can be looked for by structure instead of tracked keys, or as PyTorch does.");
    m_empty->setText(lines.join(QStringLiteral("\n\n")));
}

QString RegionsPane::emptyText() const
{
    return m_stack->currentWidget() == m_empty ? m_empty->text() : QString();
}

GraphView* RegionsPane::graphInFront()
{
    return card() == nullptr ? nullptr : static_cast<GraphView*>(m_graphs->currentWidget());
}

void RegionsPane::showTab(int tab)
{
    if (tab == 0 || !m_shown || !m_shown->dedup) {
        m_graphs->setCurrentWidget(m_graph);
        return;
    }
    if (m_main == nullptr) {
        m_main = new RunGraphView(document(), m_jobs, m_engine, QStringLiteral("deduplicated"), m_graphs);
        link(*m_main);
        m_graphs->addWidget(m_main);
        m_main->setRun(runNumber(), {m_shown, &m_shown->dedup->program}, m_shown->dedup->program.root, tr("main graph"));
        refreshGraphTags();
        m_main->showSelection(m_selectedInRun);
    }
    m_graphs->setCurrentWidget(m_main);
}

const RegionCard* RegionsPane::card() const
{
    return m_card >= 0 && m_card < m_cards->rowCount() ? &m_cards->cards()[static_cast<std::size_t>(m_card)] : nullptr;
}

const RegionGroup* RegionsPane::group() const
{
    return card() == nullptr || !m_shown ? nullptr : &m_shown->regions.groups[card()->group];
}

void RegionsPane::showCard(int row)
{
    if (!m_shown || row < 0 || row >= m_cards->rowCount())
        return;
    const QScopedValueRollback following(m_following, true);
    m_card = row;
    m_details.reset();
    m_selected.clear();
    m_hovered.clear();
    const std::size_t number = card()->group;
    m_index.put(m_shown->regions, number);

    const auto& positions = document().snapshot()->positions;
    const auto begin = [&](std::size_t occurrence) { return positions[group()->region(occurrence).front().index()]; };
    m_order.resize(group()->regionCount());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    m_rowOf.resize(m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_rowOf[m_order[i]] = i;
    m_graph->setDetails(nullptr, {});
    m_reasons->setReasons({});
    m_occurrences->reset({});
    measureShares();
    refreshRows();
    setCurrentRow(static_cast<int>(m_rowOf[0]));
    refreshPaintButton();

    m_jobs.start<std::shared_ptr<const RegionDetails>>(
        {.key = QStringLiteral("region details"), .title = tr("Look at %1").arg(card()->name), .quiet = true},
        [snapshot = document().snapshot(), outcome = m_shown, number](ProgressMonitor&) {
            return regionDetails(snapshot, outcome, number);
        },
        this,
        [this, outcome = m_shown, number](Result<std::shared_ptr<const RegionDetails>> details) {
            if (details && outcome == m_shown && card() != nullptr && card()->group == number)
                takeDetails(std::move(*details));
        });
    showSelection(document().selectedIn(runNumber()));
}

void RegionsPane::takeDetails(std::shared_ptr<const RegionDetails> details)
{
    m_details = std::move(details);
    std::vector<ReasonModel::Reason> reasons = reasonsOf(m_details->boundaries);
    for (ReasonModel::Reason& reason : leftOutOf(*m_shown))
        reasons.push_back(std::move(reason));
    m_reasons->setReasons(std::move(reasons));
    m_isNewGraph = true;
    m_graph->setDetails(m_details, card()->name);
    refreshRows();
    refreshGraphTags();
    m_graph->showSelected(m_selected);
}

// Occurrences ---------------------------------------------------------------------------------------

int RegionsPane::currentRow() const
{
    return m_rail->currentIndex().row();
}

void RegionsPane::setCurrentRow(int row)
{
    const QScopedValueRollback following(m_following, true);
    m_rail->setCurrentIndex(m_occurrences->index(row));
    m_elsewhere->scrollTo(m_occurrences->index(row));
}

std::optional<std::size_t> RegionsPane::placeInQuestion() const
{
    if (m_hovered.size() == 1)
        return m_hovered.front();
    return m_selected.size() == 1 ? std::optional(m_selected.front()) : std::nullopt;
}

void RegionsPane::measureShares()
{
    m_shares.clear();
    if (group() == nullptr)
        return;
    const auto tags = static_cast<std::size_t>(document().tagCount());
    for (std::size_t i = 0; i < group()->regionCount(); ++i) {
        std::vector<double> counts(tags + 1, 0);
        for (const NodeId id : group()->region(i))
            ++counts[static_cast<std::size_t>(document().tags()[id] + 1)];
        TagShares shares;
        for (std::size_t slot = 1; slot <= tags; ++slot)
            if (counts[slot] > 0)
                shares.push_back({static_cast<int>(slot) - 1, counts[slot] / group()->length});
        if (counts[0] > 0)
            shares.push_back({-1, counts[0] / group()->length});
        m_shares.push_back(std::move(shares));
    }
}

void RegionsPane::refreshRows()
{
    if (group() == nullptr)
        return;
    const Graph& graph = document().graph();
    const std::optional<std::size_t> place = placeInQuestion();
    std::vector<char> isLit(m_order.size(), 0);
    for (const NodeId id : document().hovered())
        if (const auto at = m_index.at(id); at && at->group == card()->group)
            isLit[at->occurrence] = 1;
    std::vector<OccurrenceModel::Row> rows;
    for (const std::size_t occurrence : m_order) {
        const auto region = group()->region(occurrence);
        OccurrenceModel::Row row;
        row.name = m_details ? text(m_details->names[occurrence]) : text(graph[region.back()].name);
        row.shares = m_shares[occurrence];
        row.isLit = isLit[occurrence] != 0;
        if (place && *place < region.size()) {
            row.node = text(graph[region[*place]].name);
            row.shares = {{document().tags()[region[*place]], 1.0}};
        }
        rows.push_back(std::move(row));
    }
    m_occurrences->update(std::move(rows));
    m_place->setText(place ? tr("of %1").arg(text(graph[group()->region(0)[*place]].name))
                           : tr("%1, the whole region").arg(text(formatCount(m_order.size(), "occurrence"))));
}

void RegionsPane::goTo(int row, bool whole)
{
    if (group() == nullptr || row < 0 || row >= m_occurrences->rowCount())
        return;
    const std::size_t occurrence = occurrenceOf(row);
    const auto region = group()->region(occurrence);
    std::vector<NodeId> nodes(region.begin(), region.end());
    if (!whole && m_selected.size() == 1)
        nodes = {region[m_selected.front()]};
    const QScopedValueRollback picking(m_picking, true);
    document().select(std::move(nodes));
    document().reveal();
}

void RegionsPane::hoverRow(const QModelIndex& index, bool whole)
{
    if (group() == nullptr || !index.isValid())
        return;
    const auto region = group()->region(occurrenceOf(index.row()));
    const bool isOne = !whole && m_selected.size() == 1;
    document().setHovered(isOne ? std::vector{region[m_selected.front()]} : std::vector<NodeId>(region.begin(), region.end()));
}

bool RegionsPane::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave && (watched == m_rail->viewport() || watched == m_elsewhere->viewport()))
        document().setHovered({});
    return ResultPane::eventFilter(watched, event);
}

// Linking ---------------------------------------------------------------------------------------------

void RegionsPane::pickPlaces(const std::vector<std::size_t>& places)
{
    if (group() == nullptr || currentRow() < 0)
        return;
    const auto region = group()->region(occurrenceOf(currentRow()));
    std::vector<NodeId> nodes;
    for (const std::size_t place : places)
        nodes.push_back(region[place]);
    const QScopedValueRollback picking(m_picking, true);
    document().select(std::move(nodes));
    document().reveal();
}

void RegionsPane::hoverPlaces(const std::vector<std::size_t>& places)
{
    if (group() == nullptr)
        return;
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < group()->regionCount(); ++i)
        for (const std::size_t place : places)
            nodes.push_back(group()->region(i)[place]);
    document().setHovered(std::move(nodes));
}

std::optional<std::size_t> RegionsPane::groupOfSelection() const
{
    std::optional<std::size_t> found;
    for (const NodeId id : document().selection().source) {
        const auto at = m_index.at(id);
        if (!at || (found && *found != at->group))
            return std::nullopt;
        found = at->group;
    }
    return found;
}

void RegionsPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selectedInRun = selected;
    if (m_main != nullptr)
        m_main->showSelection(selected);
    if (group() == nullptr)
        return;
    // The card follows a selection that lies in another group's region.
    if (const auto other = groupOfSelection(); isFollowing() && other && *other != card()->group) {
        if (const int row = m_cards->rowOf(*other); row >= 0)
            m_cardView->setCurrentIndex(m_cards->index(row)); // comes back here
        return;
    }
    m_selected.clear();
    std::optional<std::size_t> occurrence;
    for (const NodeId id : document().selection().source) {
        const auto at = m_index.at(id);
        if (!at || at->group != card()->group)
            continue;
        occurrence = occurrence.value_or(at->occurrence);
        if (*occurrence == at->occurrence)
            m_selected.push_back(at->place);
    }
    if (occurrence && static_cast<int>(m_rowOf[*occurrence]) != currentRow())
        setCurrentRow(static_cast<int>(m_rowOf[*occurrence]));
    if (m_selected.size() == group()->length)
        m_selected.clear(); // all of it: no place in particular
    m_graph->showSelected(m_selected);
    refreshRows();
    refreshGraphTags();
}

void RegionsPane::showHovered(const std::vector<NodeRef>& hovered)
{
    if (m_main != nullptr)
        m_main->showHovered(hovered);
    if (group() == nullptr)
        return;
    const bool wasLit = !m_hovered.empty();
    m_hovered.clear();
    for (const NodeId id : document().hovered())
        if (const auto at = m_index.at(id); at && at->group == card()->group)
            m_hovered.push_back(at->place);
    std::sort(m_hovered.begin(), m_hovered.end());
    m_hovered.erase(std::unique(m_hovered.begin(), m_hovered.end()), m_hovered.end());
    if (!wasLit && m_hovered.empty())
        return; // the mouse moves elsewhere
    m_graph->showHovered(m_hovered.size() == group()->length ? std::vector<std::size_t>() : m_hovered);
    refreshRows();
}

void RegionsPane::reveal()
{
    if (m_picking)
        return;
    std::vector<NodeId> nodes;
    for (const std::size_t place : m_selected)
        if (const NodeId id = m_graph->nodeAt(place))
            nodes.push_back(id);
    if (!nodes.empty())
        m_graph->showNodes(nodes);
    if (m_main != nullptr && !m_main->isPicking())
        m_main->reveal();
    if (m_rail->currentIndex().isValid()) {
        m_rail->scrollTo(m_rail->currentIndex());
        m_elsewhere->scrollTo(m_elsewhere->currentIndex());
    }
}

// Looks -----------------------------------------------------------------------------------------------

void RegionsPane::refreshGraphTags()
{
    const Theme& theme = currentTheme();
    if (m_main != nullptr && m_shown && m_shown->dedup) {
        m_main->canvas().setTheme(theme);
        m_main->canvas().setTags({}, std::vector<std::int32_t>(m_shown->dedup->program.rootGraph().idBound(), PictureStyle::kTakesNoTag));
    }
    if (group() == nullptr || !m_details || currentRow() < 0)
        return;
    std::vector<std::int32_t> tags;
    for (const NodeId id : group()->region(occurrenceOf(currentRow())))
        tags.push_back(document().tags()[id]);
    m_graph->setTags(theme, tagLooksOf(document(), theme), tags);
}

void RegionsPane::refreshTheme()
{
    refreshGraphTags();
    refreshPaintButton();
    for (QListView* view : {m_cardView, m_rail, m_elsewhere, m_reasonView})
        view->viewport()->update();
}

void RegionsPane::documentChanged(Changes what)
{
    if (what & (Change::activeTag | Change::tagList))
        refreshPaintButton();
    if (!what.testFlag(Change::tags) || what.testFlag(Change::program) || group() == nullptr)
        return;
    measureShares();
    refreshRows();
    refreshGraphTags();
}

} // namespace sunder
