#include "panels/result_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/format.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

ResultPane::ResultPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : QWidget(parent), m_document(document), m_jobs(jobs), m_engine(std::move(engine)),
      m_header(new PaneHeader(tr("Result"), this)), m_tabs(new QTabBar(this)), m_stack(new QStackedWidget(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_tabs);
    column->addWidget(m_stack, 1);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setDocumentMode(true);
    m_tabs->setMinimumHeight(30);
    m_tabs->setAccessibleName(tr("Main graph and parts"));
    connect(&m_header->breadcrumbs(), &Breadcrumbs::chosen, this, [this](int part) {
        if (GraphView* view = currentView())
            view->showCrumb(part);
    });
    connect(m_header->addButton(QStringLiteral("export"), tr("Export parts, graph or picture (Ctrl+E)")),
            &QToolButton::clicked, this, &ResultPane::exportRequested);
    connect(m_header->addButton(QStringLiteral("fit"), tr("Show the whole graph")), &QToolButton::clicked, this, [this] {
        if (GraphView* view = currentView())
            view->canvas().fitAll();
    });
    connect(m_header->addButton(QStringLiteral("close"), tr("Close the result")), &QToolButton::clicked, this,
            &ResultPane::closeRequested);
    connect(m_tabs, &QTabBar::currentChanged, this, &ResultPane::showPage);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what & (Change::outcome | Change::program | Change::runs)) {
            if (m_shown != m_document.outcome())
                rebuild();
            showStatus();
        }
        if (what.testFlag(Change::tagList))
            refreshTheme();
        if (what.testFlag(Change::selection))
            showSelection();
    });
    connect(&document, &Document::revealRequested, this, &ResultPane::reveal);
    rebuild();
}

GraphView* ResultPane::currentView()
{
    const int index = m_tabs->currentIndex();
    return index >= 0 && static_cast<std::size_t>(index) < m_pages.size() ? m_pages[static_cast<std::size_t>(index)].view
                                                                          : nullptr;
}

void ResultPane::rebuild()
{
    m_shown = m_document.outcome();
    const QSignalBlocker blocker(m_tabs);
    for (const Page& page : m_pages)
        if (page.view != nullptr) { // it may be on the stack above us, and must not be heard again
            page.view->disconnect(this);
            page.view->canvas().disconnect(this);
            page.view->deleteLater();
        }
    m_pages.clear();
    m_hovered.clear();
    m_calls.clear();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    if (!m_shown) {
        m_header->breadcrumbs().setParts({});
        return;
    }
    const Program& program = m_shown->split.program;
    const Theme& theme = currentTheme();
    m_pages.push_back({.graph = program.root, .name = tr("main")});
    m_tabs->addTab(tr("Main graph"));
    m_tabs->setTabToolTip(0, tr("Calls the parts in order: %1")
                                 .arg(text(formatCount(program.rootGraph().size(), "node"))));
    const std::vector<TagLook> looks = tagLooksOf(m_document, theme);
    for (std::size_t tag = 0; tag < m_shown->split.parts.size(); ++tag) {
        const GraphId graph = m_shown->split.parts[tag];
        const QString name = tag < m_shown->tags.order.size() ? text(m_shown->tags.order[tag]) : QString();
        m_pages.push_back({.graph = graph, .tag = static_cast<int>(tag), .name = name});
        const QIcon icon = tag < looks.size() ? tagSwatch(looks[tag].style, theme) : QIcon();
        const int at = m_tabs->addTab(icon, name);
        m_tabs->setTabToolTip(at, tr("Part %1: %2").arg(name, text(formatCount(program.graph(graph).size(), "node"))));
    }
    showPage(0);
}

void ResultPane::showStatus()
{
    if (!m_shown) {
        m_header->setStatus({}, QStringLiteral("hint"), {});
        return;
    }
    const Run* run = m_document.run(m_document.shownRun());
    const QString what = run == nullptr ? tr("Split by tags") : tr("Run %1 · %2").arg(run->number).arg(nameOf(*run));
    if (!m_document.isOutcomeCurrent()) {
        m_header->setStatus(tr("%1 · tags have changed since").arg(what), QStringLiteral("warning"),
                            tr("Split again (Ctrl+Return) to see the parts as they are painted now."));
        return;
    }
    const VerifyReport& report = m_shown->report;
    const QString why = sentence(report.why);
    const QString place = report.nameA.empty() ? QString() : tr(" at %1").arg(text(report.nameA));
    switch (report.verdict) {
    case Verdict::same: {
        QStringList notes;
        for (const std::string& note : report.notes)
            notes << text(note);
        m_header->setStatus(tr("%1 · proven equal").arg(what), QStringLiteral("proven"),
                            notes.isEmpty() ? tr("The parts compute what the model computes.")
                                            : tr("The parts compute what the model computes. Taken for granted:\n%1")
                                                  .arg(notes.join(QLatin1Char('\n'))));
        break;
    }
    case Verdict::different:
        m_header->setStatus(tr("%1 · NOT equal%2").arg(what, place), QStringLiteral("error"), why);
        break;
    case Verdict::undecided:
        m_header->setStatus(tr("%1 · not proven%2").arg(what, place), QStringLiteral("warning"), why);
        break;
    }
}

void ResultPane::showPage(int index)
{
    if (index < 0 || static_cast<std::size_t>(index) >= m_pages.size())
        return;
    Page& page = m_pages[static_cast<std::size_t>(index)];
    if (page.view == nullptr) {
        page.view = new GraphView(m_jobs, m_engine, QStringLiteral("result %1").arg(index), m_stack);
        page.view->canvas().setAccessibleName(tr("Graph of %1").arg(page.name));
        m_stack->addWidget(page.view);
        connectCanvas(*page.view);
        page.view->canvas().setTool(ToolKind::select);
        page.view->setGraph({m_shown, &m_shown->split.program}, page.graph, page.name);
        page.view->canvas().setPictureStyle(styleOf(page));
    }
    m_stack->setCurrentWidget(page.view);
    m_header->breadcrumbs().setParts(page.view->breadcrumbs());
    page.view->canvas().setSelectedNodes(selectedIn(page.graph));
    if (page.tag < 0)
        showSelection();
    reveal();
}

PictureStyle ResultPane::styleOf(const Page& page) const
{
    // Nodes wear the tag of their part; in the main graph a call of a part wears the part's.
    const Program& program = m_shown->split.program;
    const Graph& graph = program.graph(page.graph);
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = tagLooksOf(m_document, currentTheme());
    style.tagOf.assign(graph.idBound(), PictureStyle::kTakesNoTag);
    for (const NodeId id : graph.nodes()) {
        if (page.tag >= 0) {
            style.tagOf[id.index()] = graph[id].isCall() ? page.tag : PictureStyle::kTakesNoTag;
            continue;
        }
        NodeId call = id;
        if (graph[id].op == Op::callFunction && graph.inputs(id).begin() != graph.inputs(id).end())
            call = graph.inputs(id).front(); // a getitem belongs to the call it reads
        const auto& order = m_shown->tags.order;
        const auto tag = std::find(order.begin(), order.end(), graph[call].target);
        if (graph[call].op == Op::callModule && tag != order.end())
            style.tagOf[id.index()] = static_cast<std::int32_t>(tag - order.begin());
    }
    const auto looks = static_cast<std::int32_t>(style.tags.size());
    for (std::int32_t& tag : style.tagOf)
        if (tag >= looks)
            tag = PictureStyle::kTakesNoTag; // removed since
    return style;
}

std::vector<NodeId> ResultPane::selectedIn(GraphId graph) const
{
    std::vector<NodeId> nodes;
    for (const NodeRef ref : m_document.selection().result)
        if (ref.graph == graph)
            nodes.push_back(ref.node);
    return nodes;
}

void ResultPane::showSelection()
{
    std::vector<NodeId> calls; // in the main graph: the parts in which something is selected
    std::vector<int> holding;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const std::vector<NodeId> nodes = selectedIn(m_pages[i].graph);
        if (m_pages[i].view != nullptr)
            m_pages[i].view->canvas().setSelectedNodes(nodes);
        if (m_pages[i].tag >= 0 && !nodes.empty()) {
            holding.push_back(static_cast<int>(i));
            calls.push_back(callOf(m_pages[i]));
        }
    }
    m_calls = std::move(calls);
    showCounterparts();
    // A part in front follows the selection to the part that has it.
    const int front = m_tabs->currentIndex();
    if (!m_selecting && front > 0 && holding.size() == 1 && holding.front() != front)
        m_tabs->setCurrentIndex(holding.front());
}

void ResultPane::setHovered(const std::vector<NodeId>& sourceNodes)
{
    m_hovered.clear();
    if (m_shown && m_document.isOpen())
        for (const NodeId id : sourceNodes)
            for (const IdentityMap::Pair& pair : m_shown->split.map.resultsOf({m_document.snapshot()->program.root, id}))
                m_hovered.push_back(pair.result);
    showCounterparts();
}

void ResultPane::showCounterparts()
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].view == nullptr)
            continue;
        std::vector<NodeId> nodes = i == 0 ? m_calls : std::vector<NodeId>();
        for (const NodeRef ref : m_hovered)
            if (ref.graph == m_pages[i].graph)
                nodes.push_back(ref.node);
        m_pages[i].view->canvas().setCounterparts(nodes);
    }
}

NodeId ResultPane::callOf(const Page& page) const
{
    const Graph& main = m_shown->split.program.rootGraph();
    for (const NodeId id : main.nodes())
        if (main[id].op == Op::callModule && text(main[id].target) == page.name)
            return id;
    return {};
}

void ResultPane::reveal()
{
    if (m_selecting || m_pages.empty())
        return;
    const int front = std::max(0, m_tabs->currentIndex());
    const std::vector<NodeId> here = selectedIn(m_pages[static_cast<std::size_t>(front)].graph);
    if (!here.empty() && m_pages[static_cast<std::size_t>(front)].view != nullptr)
        m_pages[static_cast<std::size_t>(front)].view->showNodes(here);
}

void ResultPane::connectCanvas(GraphView& view)
{
    connect(&view.canvas(), &CanvasWidget::selectionRequested, this,
            [this, &view](const std::vector<NodeId>& nodes, SelectionMode mode) { select(view, nodes, mode); });
    connect(&view.canvas(), &CanvasWidget::hovered, this, [this, &view](const std::vector<NodeId>& nodes) {
        std::vector<NodeId> sources;
        for (const NodeId id : nodes)
            for (const IdentityMap::Pair& pair : m_shown->split.map.sourcesOf({view.graphId(), id}))
                if (pair.source.graph == m_document.snapshot()->program.root)
                    sources.push_back(pair.source.node);
        emit hovered(sources);
    });
    connect(&view.canvas(), &CanvasWidget::nodeActivated, this, [this, &view](NodeId node) {
        // Enter on the call of a part goes into the part.
        const Node& at = m_shown->split.program.graph(view.graphId())[node];
        for (std::size_t i = 1; i < m_pages.size(); ++i)
            if (at.op == Op::callModule && view.graphId() == m_pages.front().graph && text(at.target) == m_pages[i].name)
                m_tabs->setCurrentIndex(static_cast<int>(i));
    });
    connect(&view.canvas(), &CanvasWidget::legendDismissed, this,
            [&view] { view.canvas().setLegendVisible(false); });
    view.canvas().setLegendVisible(false);
    connect(&view, &GraphView::breadcrumbsChanged, this, [this, &view] {
        if (&view == currentView())
            m_header->breadcrumbs().setParts(view.breadcrumbs());
    });
}

void ResultPane::select(const GraphView& view, const std::vector<NodeId>& nodes, SelectionMode mode)
{
    std::vector<NodeRef> wanted;
    for (const NodeId id : nodes)
        wanted.push_back({view.graphId(), id});
    if (mode != SelectionMode::replace)
        for (const NodeId id : selectedIn(view.graphId()))
            wanted.push_back({view.graphId(), id});
    m_selecting = true;
    m_document.selectInResult(std::move(wanted));
    m_document.reveal();
    m_selecting = false;
}

void ResultPane::refreshTheme()
{
    const std::vector<TagLook> looks = tagLooksOf(m_document, currentTheme());
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].view != nullptr)
            m_pages[i].view->canvas().setPictureStyle(styleOf(m_pages[i]));
        if (m_pages[i].tag >= 0 && static_cast<std::size_t>(m_pages[i].tag) < looks.size())
            m_tabs->setTabIcon(static_cast<int>(i), tagSwatch(looks[static_cast<std::size_t>(m_pages[i].tag)].style, currentTheme()));
    }
    showSelection();
}

} // namespace sunder
