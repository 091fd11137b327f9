#include "panes/hierarchy/hierarchy_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/hierarchy/module_facts.h"
#include "support/format.h"

#include <QScopedValueRollback>
#include <QStackedWidget>

#include <algorithm>

namespace sunder {

namespace {
constexpr std::size_t kBuiltAtOnce = 20'000; ///< nodes; the tree of more is made by a job
} // namespace

// What is shown ------------------------------------------------------------------------------------

void HierarchyPane::showResult()
{
    const UnflattenOutcomePtr before = std::exchange(m_shown, result<UnflattenOutcomePtr>());
    const QScopedValueRollback following(m_following, true);
    m_entry = -1;
    m_selected.clear();
    m_jobs.discard(std::exchange(m_modules, nullptr));
    m_model->setTree(nullptr, nullptr);
    m_graph->setGraph(nullptr, {}, {});
    m_signature->setRows({});
    m_tensors->setRows({});
    m_notes->setRows({});
    m_calls->hide();
    if (m_shown) {
        m_asUpstream->setChecked(m_shown->options.asUpstream);
        (m_shown->options.crossing == CrossingValues::buffer ? m_byBuffer : m_byAttribute)->setChecked(true);
        std::vector<FactTable::Row> notes;
        for (const Diagnostic& note : m_shown->result.notes)
            notes.push_back({{sentence(note.message)}, sentence(note.message)});
        m_notes->setRows(std::move(notes));
        const std::string name = document().displayName().toStdString();
        if (program().nodeCount() <= kBuiltAtOnce)
            takeTree(std::make_shared<const HierarchyTree>(hierarchyTree(*m_shown, *document().snapshot(), name)));
        else
            m_jobs.start<std::shared_ptr<const HierarchyTree>>(
                {.key = QStringLiteral("hierarchy"), .title = tr("Tree of modules"), .quiet = true},
                [outcome = m_shown, snapshot = document().snapshot(), name](ProgressMonitor&) -> Result<std::shared_ptr<const HierarchyTree>> {
                    return std::make_shared<const HierarchyTree>(hierarchyTree(*outcome, *snapshot, name));
                },
                this, [this, outcome = m_shown](Result<std::shared_ptr<const HierarchyTree>> tree) {
                    if (tree && outcome == m_shown)
                        takeTree(std::move(*tree));
                });
    }
    const int count = m_notes->rowCount();
    m_facts->setTabText(2, count == 0 ? tr("Notes") : tr("Notes %1").arg(count));
    m_facts->setTabVisible(2, count > 0);
    m_jobs.discard(before);
}

void HierarchyPane::takeTree(std::shared_ptr<const HierarchyTree> tree)
{
    m_modules = std::move(tree);
    const QScopedValueRollback following(m_following, true);
    m_model->setTree(m_modules, {m_shown, &m_shown->result.program});
    const QModelIndex root = m_model->index(0, 0);
    m_tree->expand(root);
    if (m_model->rowCount(root) <= 3) // a wrapper around the model itself says little
        for (int row = 0; row < m_model->rowCount(root); ++row)
            m_tree->expand(m_model->index(row, 0, root));
    showEntry(0);
    setCurrent(0);
}

const HierarchyTree::Entry* HierarchyPane::entry() const
{
    return m_modules && m_entry >= 0 ? &m_modules->entries[static_cast<std::size_t>(m_entry)] : nullptr;
}

QString HierarchyPane::currentPath() const
{
    return entry() == nullptr ? QString() : text(HierarchyTree::pathOf(program(), *entry()));
}

GraphId HierarchyPane::graphInSight() const
{
    if (entry() == nullptr || entry()->graphs.empty())
        return {};
    return entry()->graphs[std::min(static_cast<std::size_t>(m_call), entry()->graphs.size() - 1)];
}

void HierarchyPane::showEntry(std::int32_t wanted, int call)
{
    if (wanted == m_entry && call == m_call)
        return;
    m_entry = wanted;
    m_call = call;
    if (entry() == nullptr)
        return;
    m_calls->setVisible(entry()->isDispatcher);
    m_calls->clear();
    for (std::size_t i = 0; i < entry()->graphs.size() && entry()->isDispatcher; ++i)
        m_calls->addItem(tr("Call %1 of %2: %3").arg(i + 1).arg(entry()->graphs.size())
                             .arg(text(formatCount(program().graph(entry()->graphs[i]).size(), "node"))));
    m_calls->setCurrentIndex(call);
    showGraph();
    showFacts();
}

void HierarchyPane::showGraph()
{
    const GraphId graph = graphInSight();
    if (!graph) {
        m_noGraph->setText(tr("%1 only holds other modules; nothing runs in it itself.").arg(currentPath()));
        m_graphs->setCurrentWidget(m_noGraph);
        m_graph->setGraph(nullptr, {}, {});
        showBreadcrumbs();
        return;
    }
    m_graphs->setCurrentWidget(m_graph);
    m_graph->setRun(runNumber(), {m_shown, &m_shown->result.program}, graph, text(entry()->name));
    refreshGraphTags();
    m_graph->showSelection(m_selected);
}

void HierarchyPane::showFacts()
{
    const GraphId graph = graphInSight();
    m_signature->setRows(graph ? signatureRows(program().graph(graph)) : std::vector<FactTable::Row>());
    m_tensors->setRows(graph ? tensorRows(program(), entry()->object, program().graph(graph)) : std::vector<FactTable::Row>());
    m_facts->setTabText(0, tr("Signature %1").arg(m_signature->rowCount()));
    m_facts->setTabText(1, tr("Parameters %1").arg(m_tensors->rowCount()));
    for (int tab = 0; tab < 2; ++tab) {
        auto* table = qobject_cast<QTreeView*>(m_facts->widget(tab));
        for (int column = 0; column < table->model()->columnCount(); ++column)
            table->resizeColumnToContents(column);
    }
}

std::vector<std::int32_t> HierarchyPane::pathTo(std::int32_t wanted) const
{
    std::vector<std::int32_t> path;
    for (std::int32_t at = m_modules ? wanted : -1; at >= 0; at = m_modules->entries[static_cast<std::size_t>(at)].parent)
        path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

void HierarchyPane::showBreadcrumbs()
{
    QStringList parts;
    for (const std::int32_t at : pathTo(m_entry))
        parts << text(m_modules->entries[static_cast<std::size_t>(at)].name);
    if (graphInSight())
        parts << m_graph->breadcrumbs().mid(1);
    m_where->setParts(parts);
}

// Going about ------------------------------------------------------------------------------------------

void HierarchyPane::setCurrent(std::int32_t wanted)
{
    const QScopedValueRollback following(m_following, true);
    const QModelIndex index = m_model->indexOf(wanted);
    if (!index.isValid())
        return;
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void HierarchyPane::choose(const QModelIndex& index)
{
    const std::int32_t wanted = m_model->entryOf(index);
    if (m_following || wanted < 0)
        return;
    showEntry(wanted);
    setCurrent(wanted);
    const QScopedValueRollback picking(m_picking, true);
    document().select(m_modules->sourcesBelow(wanted), wanted == 0 ? text(entry()->name) : currentPath());
    document().reveal();
}

void HierarchyPane::goInto(NodeId call)
{
    const GraphId graph = graphInSight();
    if (!graph)
        return;
    const std::int32_t called = m_modules->calledBy(program(), m_entry, program().graph(graph)[call]);
    if (called >= 0 && called != m_entry)
        choose(m_model->indexOf(called));
}

void HierarchyPane::goUp()
{
    if (entry() != nullptr && entry()->parent >= 0)
        choose(m_model->indexOf(entry()->parent));
}

// Linking ----------------------------------------------------------------------------------------------

std::pair<std::int32_t, int> HierarchyPane::holderOf(const std::vector<NodeId>& sources) const
{
    constexpr std::size_t kEnough = 2'000; // of a large selection the first ones say where it is
    std::vector<std::int32_t> common;
    int call = 0;
    const GraphId root = document().snapshot()->program.root;
    bool isFirst = true;
    for (std::size_t i = 0; i < std::min(sources.size(), kEnough); ++i)
        for (const IdentityMap::Pair& pair : m_shown->result.map.resultsOf({root, sources[i]})) {
            const std::int32_t holder = m_modules->entryOfGraph[pair.result.graph.index()];
            if (pair.created || holder < 0)
                continue;
            const std::vector<std::int32_t> path = pathTo(holder);
            if (std::exchange(isFirst, false)) {
                common = path;
                const auto& graphs = m_modules->entries[static_cast<std::size_t>(holder)].graphs;
                call = static_cast<int>(std::find(graphs.begin(), graphs.end(), pair.result.graph) - graphs.begin());
                continue;
            }
            const auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
            if (end != common.end())
                call = 0;
            common.erase(end, common.end());
        }
    return {common.empty() ? -1 : common.back(), call};
}

void HierarchyPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    if (!m_modules)
        return;
    const std::vector<NodeId>& sources = document().selection().source;
    if (isFollowing() && !m_picking && !m_graph->isPicking() && !sources.empty()) {
        if (const auto [holder, call] = holderOf(sources); holder >= 0) {
            showEntry(holder, call);
            setCurrent(holder);
        }
    }
    // In a module's own graph all that it runs would be selected: nothing in particular.
    m_graph->showSelection(m_picking ? std::vector<NodeRef>() : selected);
}

void HierarchyPane::showHovered(const std::vector<NodeRef>& hovered)
{
    m_graph->showHovered(hovered);
}

void HierarchyPane::reveal()
{
    if (!m_picking && !m_graph->isPicking())
        m_graph->reveal();
}

// Looks -------------------------------------------------------------------------------------------------

void HierarchyPane::refreshGraphTags()
{
    const GraphId graph = graphInSight();
    if (!graph)
        return;
    const Theme& theme = currentTheme();
    const Graph& made = program().graph(graph);
    std::vector<std::int32_t> tagOf(made.idBound(), PictureStyle::kTakesNoTag);
    for (const auto& [source, copy] : m_modules->copies[graph.index()])
        if (made[copy].isCall() && document().snapshot()->isCall(source))
            tagOf[copy.index()] = document().tags()[source];
    m_graph->canvas().setTheme(theme);
    m_graph->canvas().setTags(tagLooksOf(document(), theme), std::move(tagOf));
}

void HierarchyPane::refreshTheme()
{
    refreshGraphTags();
    m_tree->viewport()->update();
}

void HierarchyPane::documentChanged(Changes what)
{
    if (what.testFlag(Change::tags) && !what.testFlag(Change::program))
        refreshGraphTags();
}

} // namespace sunder
