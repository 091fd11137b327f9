#include "panes/submodules/submodules_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/format.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

SubmodulesPane::SubmodulesPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, ResultKind::parts, tr("Submodules"),
                 tr("The main graph and every part of a cut come here. Paint tags and split (Ctrl+Return), or partition over devices."), parent), m_jobs(jobs), m_engine(std::move(engine)),
      m_tabs(new QTabBar(this)), m_stack(new QStackedWidget(this))
{
    column().addWidget(m_tabs);
    column().addWidget(m_stack, 1);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setDocumentMode(true);
    m_tabs->setMinimumHeight(30);
    m_tabs->setAccessibleName(tr("Main graph and parts"));
    connect(&header().breadcrumbs(), &Breadcrumbs::chosen, this, [this](int part) {
        if (GraphView* view = currentView())
            view->showCrumb(part);
    });
    addExportButton(tr("Export parts, graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph")), &QToolButton::clicked, this, [this] {
        if (GraphView* view = currentView())
            view->canvas().fitAll();
    });
    addWindowButtons();
    connect(m_tabs, &QTabBar::currentChanged, this, &SubmodulesPane::showPage);
    start();
}

RunGraphView* SubmodulesPane::currentView()
{
    const int index = m_tabs->currentIndex();
    return index >= 0 && static_cast<std::size_t>(index) < m_pages.size() ? m_pages[static_cast<std::size_t>(index)].view
                                                                          : nullptr;
}

void SubmodulesPane::showResult()
{
    m_shown = result<SplitOutcomePtr>();
    const QSignalBlocker blocker(m_tabs);
    for (const Page& page : m_pages)
        if (page.view != nullptr) { // it may be on the stack above us, and must not be heard again
            page.view->disconnect(this);
            page.view->canvas().disconnect(this);
            page.view->deleteLater();
        }
    m_pages.clear();
    m_selected.clear();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    if (!m_shown) {
        header().breadcrumbs().setParts({});
        return;
    }
    const Program& program = m_shown->split.program;
    const Theme& theme = currentTheme();
    m_pages.push_back({.graph = program.root, .name = tr("main")});
    m_tabs->addTab(tr("Main graph"));
    m_tabs->setTabToolTip(0, tr("Calls the parts in order: %1")
                                 .arg(text(formatCount(program.rootGraph().size(), "node"))));
    const std::vector<TagLook> looks = partLooksOf(document(), *m_shown, theme);
    for (std::size_t part = 0; part < m_shown->split.parts.size(); ++part) {
        const GraphId graph = m_shown->split.parts[part];
        const QString name = text(m_shown->split.partNames[part]);
        m_pages.push_back({.graph = graph, .part = static_cast<int>(part), .name = name});
        const QIcon icon = part < looks.size() ? tagSwatch(looks[part].style, theme) : QIcon();
        const int at = m_tabs->addTab(icon, name);
        m_tabs->setTabToolTip(at, tr("Part %1: %2").arg(name, text(formatCount(program.graph(graph).size(), "node"))));
    }
    showPage(0);
}

void SubmodulesPane::showPage(int index)
{
    if (index < 0 || static_cast<std::size_t>(index) >= m_pages.size())
        return;
    Page& page = m_pages[static_cast<std::size_t>(index)];
    if (page.view == nullptr) {
        page.view = new RunGraphView(document(), m_jobs, m_engine, QStringLiteral("part %1 of run %2").arg(index).arg(runNumber()), m_stack);
        m_stack->addWidget(page.view);
        connectView(*page.view);
        page.view->setRun(runNumber(), {m_shown, &m_shown->split.program}, page.graph, page.name);
        page.view->canvas().setPictureStyle(styleOf(page));
    }
    m_stack->setCurrentWidget(page.view);
    header().breadcrumbs().setParts(page.view->breadcrumbs());
    showSelection(std::vector<NodeRef>(m_selected));
    reveal();
}

PictureStyle SubmodulesPane::styleOf(const Page& page) const
{
    // Nodes wear the colour of their part; in the main graph a call of a part wears the part's.
    const Graph& graph = m_shown->split.program.graph(page.graph);
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = partLooksOf(document(), *m_shown, *style.theme);
    style.tagOf.assign(graph.idBound(), PictureStyle::kTakesNoTag);
    const std::vector<InternedString>& names = m_shown->split.partNames;
    for (const NodeId id : graph.nodes()) {
        if (page.part >= 0) {
            style.tagOf[id.index()] = graph[id].isCall() ? page.part : PictureStyle::kTakesNoTag;
            continue;
        }
        NodeId call = id;
        if (graph[id].op == Op::callFunction && graph.inputs(id).begin() != graph.inputs(id).end())
            call = graph.inputs(id).front(); // a getitem belongs to the call it reads
        const auto part = std::find(names.begin(), names.end(), graph[call].target);
        if (graph[call].op == Op::callModule && part != names.end())
            style.tagOf[id.index()] = static_cast<std::int32_t>(part - names.begin());
    }
    return style;
}

void SubmodulesPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    std::vector<NodeId> calls; // in the main graph: the parts in which something is selected
    std::vector<int> holding;
    bool isPicking = false;
    for (std::size_t i = 1; i < m_pages.size(); ++i) {
        isPicking = isPicking || (m_pages[i].view != nullptr && m_pages[i].view->isPicking());
        if (std::none_of(selected.begin(), selected.end(),
                         [&](NodeRef ref) { return ref.graph == m_pages[i].graph; }))
            continue;
        holding.push_back(static_cast<int>(i));
        calls.push_back(callOf(m_pages[i]));
    }
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].view != nullptr)
            m_pages[i].view->showSelection(selected, i == 0 ? calls : std::vector<NodeId>());
    // A part in front follows the selection to the part that has it.
    const int front = m_tabs->currentIndex();
    if (!isPicking && front > 0 && holding.size() == 1 && holding.front() != front)
        m_tabs->setCurrentIndex(holding.front());
}

void SubmodulesPane::showHovered(const std::vector<NodeRef>& hovered)
{
    for (const Page& page : m_pages)
        if (page.view != nullptr)
            page.view->showHovered(hovered);
}

void SubmodulesPane::reveal()
{
    if (RunGraphView* view = currentView(); view != nullptr && !view->isPicking())
        view->reveal();
}

NodeId SubmodulesPane::callOf(const Page& page) const
{
    const Graph& main = m_shown->split.program.rootGraph();
    for (const NodeId id : main.nodes())
        if (main[id].op == Op::callModule && main[id].target == m_shown->split.partNames[static_cast<std::size_t>(page.part)])
            return id;
    return {};
}

void SubmodulesPane::connectView(RunGraphView& view)
{
    connect(&view.canvas(), &CanvasWidget::nodeActivated, this, [this, &view](NodeId node) { activate(view, node); });
    connect(&view, &GraphView::breadcrumbsChanged, this, [this, &view] {
        if (&view == currentView())
            header().breadcrumbs().setParts(view.breadcrumbs());
    });
}

void SubmodulesPane::activate(const RunGraphView& view, NodeId node)
{
    // Enter on the call of a part goes into the part.
    const Node& at = m_shown->split.program.graph(view.graphId())[node];
    if (at.op != Op::callModule || view.graphId() != m_pages.front().graph)
        return;
    const std::vector<InternedString>& names = m_shown->split.partNames;
    if (const auto part = std::find(names.begin(), names.end(), at.target); part != names.end())
        m_tabs->setCurrentIndex(1 + static_cast<int>(part - names.begin()));
}

void SubmodulesPane::refreshTheme()
{
    if (!m_shown)
        return;
    const std::vector<TagLook> looks = partLooksOf(document(), *m_shown, currentTheme());
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].view != nullptr)
            m_pages[i].view->canvas().setPictureStyle(styleOf(m_pages[i]));
        if (m_pages[i].part >= 0 && static_cast<std::size_t>(m_pages[i].part) < looks.size())
            m_tabs->setTabIcon(static_cast<int>(i), tagSwatch(looks[static_cast<std::size_t>(m_pages[i].part)].style, currentTheme()));
    }
    showSelection(std::vector<NodeRef>(m_selected));
}

} // namespace sunder
