#include "panes/hierarchy/hierarchy_pane.h"

#include "document/text.h"
#include "io/side_files/project_file.h"
#include "models/tag_style_of.h"
#include "panes/hierarchy/ui_hierarchy_pane.h"
#include "support/json_writer.h"
#include "text/amounts.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace sunder {
namespace {
constexpr const char* kKeptModule = "module"; ///< in a viewState()
constexpr const char* kKeptCall = "call";
constexpr std::size_t kModulesBuiltAtOnce = 20'000; ///< nodes; above this, a job builds the tree
} // namespace

// Content ------------------------------------------------------------------------------------------

void HierarchyPane::showResult()
{
    const UnflattenOutcomePtr before = std::exchange(m_shown, result<UnflattenOutcomePtr>());
    m_entry = -1;
    m_kept.clear();
    m_selected.clear();
    Jobs::discard(std::exchange(m_modules, nullptr));
    m_ui->side->setTree(nullptr, nullptr);
    m_graph->setGraph(nullptr, {}, {});
    m_ui->facts->showNoModule();
    m_ui->facts->setNotes(m_shown ? m_shown->result.notes : Diagnostics());
    m_ui->calls->hide();
    if (m_shown) {
        m_options->show(m_shown->pass, m_shown->options);
        buildTree();
    }
    Jobs::discard(before);
}

void HierarchyPane::buildTree()
{
    const std::string name = document().displayName().toStdString();
    if (program().nodeCount() <= kModulesBuiltAtOnce) {
        takeTree(std::make_shared<const HierarchyTree>(hierarchyTree(m_shown->result, document().snapshot()->program, name)));
        return;
    }
    m_jobs.start<std::shared_ptr<const HierarchyTree>>(
        {.key = QStringLiteral("hierarchy"), .title = tr("Build the module tree"), .quiet = true},
        [outcome = m_shown, snapshot = document().snapshot(),
         name](ProgressMonitor&) -> Result<std::shared_ptr<const HierarchyTree>> {
            return std::make_shared<const HierarchyTree>(hierarchyTree(outcome->result, snapshot->program, name));
        },
        this,
        [this, outcome = m_shown](Result<std::shared_ptr<const HierarchyTree>> tree) {
            if (tree && outcome == m_shown)
                takeTree(std::move(*tree));
        });
}

void HierarchyPane::takeTree(std::shared_ptr<const HierarchyTree> tree)
{
    m_modules = std::move(tree);
    m_ui->side->setTree(m_modules, {m_shown, &m_shown->result.program});
    showEntry(0);
    m_ui->side->setCurrent(0);
    if (JsonTape kept; kept.parse(std::exchange(m_kept, {}), kMaxProjectDepth))
        restoreViewState(kept.root());
}

std::string HierarchyPane::viewState() const
{
    if (!m_modules)
        return m_kept;
    if (m_entry <= 0 && m_call == 0)
        return {};
    JsonWriter json(0);
    json.object([&] {
        json.member(kKeptCall, m_call);
        json.member(kKeptModule, entry() == nullptr ? std::string_view() : HierarchyTree::pathOf(program(), *entry()).view());
    });
    return json.takeRaw();
}

void HierarchyPane::restoreViewState(JsonValue kept)
{
    if (!m_modules) {
        m_kept = kept ? kept.raw() : std::string();
        return;
    }
    const std::string_view path = kept.member(kKeptModule).textOr({});
    const std::vector<HierarchyTree::Entry>& all = m_modules->entries;
    const auto found = std::ranges::find_if(
        all, [&](const HierarchyTree::Entry& entry) { return HierarchyTree::pathOf(program(), entry).view() == path; });
    if (!kept || found == all.end())
        return;
    const auto entry = static_cast<std::int32_t>(found - all.begin());
    showEntry(entry, std::max(0, kept.member(kKeptCall).intOr(0)));
    m_ui->side->setCurrent(entry);
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
    listCalls();
    showGraph();
}

void HierarchyPane::listCalls()
{
    const std::vector<GraphId>& graphs = entry()->graphs;
    m_ui->calls->setVisible(entry()->isDispatcher);
    m_ui->calls->clear();
    for (std::size_t i = 0; i < graphs.size() && entry()->isDispatcher; ++i)
        m_ui->calls->addItem(
            tr("Call %1 of %2: %3").arg(i + 1).arg(graphs.size()).arg(countText(program().graph(graphs[i]).size(), "node")));
    m_ui->calls->setCurrentIndex(m_call);
}

void HierarchyPane::showGraph()
{
    const GraphId graph = graphInSight();
    if (!graph) {
        m_ui->noGraph->setText(tr("%1 contains only modules and has no ops of its own.").arg(withShortWords(currentPath())));
        m_ui->graphs->setCurrentWidget(m_ui->noGraph);
        m_graph->setGraph(nullptr, {}, {});
        m_ui->facts->showNoModule();
        showBreadcrumbs();
        return;
    }
    const bool hadFocus = m_ui->noGraph->hasFocus();
    m_ui->graphs->setCurrentWidget(m_graph);
    m_graph->setRun(runNumber(), {m_shown, &m_shown->result.program}, graph, text(entry()->name),
                    {.within = program().modules[entry()->object].path.str()});
    if (hadFocus)
        m_graph->takeFocus();
    m_graph->setStandIns(m_modules->representatives[graph.index()]);
    m_ui->facts->showModule(program(), entry()->object, program().graph(graph));
    refreshGraphTags();
    m_graph->showSelection(m_selected, m_graph->representativesFor(document().marks().selection().source));
}

void HierarchyPane::showBreadcrumbs()
{
    QStringList parts;
    for (const std::int32_t at : m_modules ? m_modules->pathTo(m_entry) : std::vector<std::int32_t>())
        parts << text(m_modules->entries[static_cast<std::size_t>(at)].name);
    if (graphInSight())
        parts << m_graph->breadcrumbs().mid(1);
    m_ui->where->setParts(parts);
}

// Navigation -------------------------------------------------------------------------------------------

void HierarchyPane::choose(std::int32_t wanted)
{
    showEntry(wanted);
    m_ui->side->setCurrent(wanted);
    const QScopedValueRollback picking(m_picking, true);
    document().marks().select(m_modules->sourcesBelow(wanted),
                              exact((wanted == 0 ? entry()->name : HierarchyTree::pathOf(program(), *entry())).view()));
    document().marks().reveal();
}

void HierarchyPane::goInto(NodeId call)
{
    const GraphId graph = graphInSight();
    if (!graph)
        return;
    const std::int32_t called = m_modules->calledBy(program(), m_entry, program().graph(graph)[call]);
    if (called >= 0 && called != m_entry)
        choose(called);
}

void HierarchyPane::goUp()
{
    if (entry() != nullptr && entry()->parent >= 0)
        choose(entry()->parent);
}

void HierarchyPane::goToCrumb(int part)
{
    const std::vector<std::int32_t> path = m_modules ? m_modules->pathTo(m_entry) : std::vector<std::int32_t>();
    if (static_cast<std::size_t>(part) < path.size())
        choose(path[static_cast<std::size_t>(part)]);
    else
        m_graph->showCrumb(part - static_cast<int>(path.size()) + 1);
}

// Selection --------------------------------------------------------------------------------------------

void HierarchyPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    if (!m_modules)
        return;
    const std::vector<NodeId>& sources = document().marks().selection().source;
    if (isFollowing() && !m_picking && !m_graph->isPicking() && !sources.empty()) {
        const auto [holder, call] = m_modules->holderOf(m_shown->result.map, document().snapshot()->program.root, sources);
        if (holder >= 0) {
            showEntry(holder, call);
            m_ui->side->setCurrent(holder);
        }
    }
    // A module picked here would select its whole graph, so select nothing.
    if (m_picking)
        m_graph->showSelection({});
    else
        m_graph->showSelection(selected, m_graph->representativesFor(sources));
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

// Appearance --------------------------------------------------------------------------------------------

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
    m_graph->canvas().setTags(shownLooksOf(document(), theme), std::move(tagOf),
                              tagsWithinOf(document(), m_graph->representatives()));
}

void HierarchyPane::refreshTheme()
{
    refreshGraphTags();
    m_ui->side->tree().viewport()->update();
}

void HierarchyPane::documentChanged(Changes what)
{
    if (what.testFlag(Change::tags) && !what.testFlag(Change::program))
        refreshGraphTags();
}

} // namespace sunder

#include "moc_hierarchy_pane.cpp"
