// How the Hierarchy pane is put together.
#include "panes/hierarchy/hierarchy_pane.h"

#include "document/passes/unflatten_pass.h"
#include "models/look.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sunder {

HierarchyPane::HierarchyPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, UnflattenOutcome::kKind, tr("Hierarchy"),
                 tr("Unflatten an exported program (Ctrl+U) to see here its modules, what each takes and gives, and its parameters."),
                 parent), m_jobs(jobs), m_options(new HierarchyRunOptions(this)),
      m_graph(new RunGraphView(document, jobs, std::move(engine), QStringLiteral("hierarchy"), this))
{
    header().addWidget(m_options);
    addExportButton(tr("Export graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("up"), tr("Go up to the module around (Backspace)")), &QToolButton::clicked, this,
            &HierarchyPane::goUp);
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph (F)")), &QToolButton::clicked, this,
            [this] { m_graph->canvas().fitAll(); });
    addWindowButtons();
    link(*m_graph);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    m_side = new ModuleTreePanel(splitter);
    splitter->addWidget(m_side);
    splitter->addWidget(makeModule(splitter));
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({208, 420});
    column().addWidget(splitter, 1);
    connectViews();
    start();
}

QWidget* HierarchyPane::makeModule(QWidget* parent)
{
    auto* splitter = new QSplitter(Qt::Vertical, parent);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    auto* top = new QWidget(splitter);
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_where = new Breadcrumbs(top);
    m_calls = new QComboBox(top);
    m_calls->setToolTip(tr("This dispatcher runs another graph at each call"));
    m_calls->setAccessibleName(tr("Call of the dispatcher"));
    m_calls->hide();
    m_graphs = new QStackedWidget(top);
    m_noGraph = new QLabel(m_graphs);
    setLook(*m_noGraph, QStringLiteral("hint"));
    m_noGraph->setAlignment(Qt::AlignCenter);
    m_noGraph->setWordWrap(true);
    m_noGraph->setMargin(24);
    m_graphs->addWidget(m_noGraph);
    m_graphs->addWidget(m_graph);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 8, 4);
    line->addWidget(m_where, 1);
    line->addWidget(m_calls);
    column->addLayout(line);
    column->addWidget(m_graphs, 1);
    splitter->addWidget(top);
    m_facts = new ModuleFactsPanel(splitter);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({300, 148});
    return splitter;
}

void HierarchyPane::connectViews()
{
    connect(m_options, &HierarchyRunOptions::runRequested, this,
            [this](const UnflattenOptions& options) { emit runRequested(QStringLiteral("unflatten"), asPassOptions(options)); });
    connect(m_side, &ModuleTreePanel::chosen, this, &HierarchyPane::choose);
    connect(m_side, &ModuleTreePanel::entered, m_graph, &GraphView::takeFocus);
    connect(m_side, &ModuleTreePanel::upRequested, this, &HierarchyPane::goUp);
    connect(m_calls, &QComboBox::activated, this, [this](int call) {
        m_call = call;
        showGraph();
    });
    connect(&m_graph->canvas(), &CanvasWidget::nodeActivated, this, &HierarchyPane::goInto);
    connect(&m_graph->canvas(), &CanvasWidget::goUpRequested, this, [this] {
        if (m_graph->breadcrumbs().size() <= 1) // else a frame of the graph was closed
            goUp();
    });
    connect(m_graph, &GraphView::breadcrumbsChanged, this, &HierarchyPane::showBreadcrumbs);
    connect(m_where, &Breadcrumbs::chosen, this, &HierarchyPane::goToCrumb);
}

} // namespace sunder
