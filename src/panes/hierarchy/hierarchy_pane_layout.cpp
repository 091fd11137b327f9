// Creates the widgets of the Hierarchy pane.
#include "panes/hierarchy/hierarchy_pane.h"

#include "panes/hierarchy/ui_hierarchy_pane.h"

#include <QShortcut>

namespace sunder {

HierarchyPane::HierarchyPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, UnflattenOutcome::kKind, tr("Hierarchy"),
                 tr("Unflatten an exported program (Ctrl+U) to see its modules with their inputs, outputs, and parameters."),
                 parent),
      m_jobs(jobs), m_options(new RunOptionsButton(tr("Options for unflattening"), {QStringLiteral("unflatten")}, this)),
      m_ui(std::make_unique<Ui::HierarchyPane>()),
      m_graph(new RunGraphView(document, jobs, std::move(engine), QStringLiteral("hierarchy"), this))
{
    header().addWidget(m_options);
    addExportButton(tr("Export graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("up"), tr("Go to the enclosing module (Backspace)")), &QToolButton::clicked, this,
            &HierarchyPane::goUp);
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph (F)")), &QToolButton::clicked, this,
            [this] { m_graph->canvas().fitAll(); });
    addWindowButtons();
    link(*m_graph);
    makeBody();
    connectViews();
    start();
}

HierarchyPane::~HierarchyPane() = default;

void HierarchyPane::makeBody()
{
    auto* body = new QWidget(this);
    m_ui->setupUi(body);
    column().addWidget(body, 1);
    m_ui->calls->hide();
    m_ui->graphs->addWidget(m_graph);
    m_ui->split->setStretchFactor(0, 0);
    m_ui->split->setStretchFactor(1, 1);
    m_ui->split->setSizes({208, 420});
    m_ui->module->setStretchFactor(0, 1);
    m_ui->module->setSizes({300, 148});
}

ModuleTreePanel& HierarchyPane::modules()
{
    return *m_ui->side;
}

ModuleFactsPanel& HierarchyPane::facts()
{
    return *m_ui->facts;
}

QComboBox& HierarchyPane::calls()
{
    return *m_ui->calls;
}

void HierarchyPane::connectViews()
{
    connect(m_options, &RunOptionsButton::runRequested, this, &ResultPane::runRequested);
    connect(m_ui->side, &ModuleTreePanel::chosen, this, &HierarchyPane::choose);
    connect(m_ui->side, &ModuleTreePanel::entered, m_graph, &GraphView::takeFocus);
    connect(m_ui->side, &ModuleTreePanel::upRequested, this, &HierarchyPane::goUp);
    connect(m_ui->calls, &QComboBox::activated, this, [this](int call) {
        m_call = call;
        showGraph();
    });
    connect(&m_graph->canvas(), &CanvasWidget::nodeActivated, this, &HierarchyPane::goInto);
    connect(&m_graph->canvas(), &CanvasWidget::goUpRequested, this, [this] {
        if (m_graph->breadcrumbs().size() <= 1) // otherwise a frame of the graph was closed
            goUp();
    });
    auto* up = new QShortcut(Qt::Key_Backspace, m_ui->noGraph); // has the focus while there is no graph
    up->setContext(Qt::WidgetShortcut);
    connect(up, &QShortcut::activated, this, &HierarchyPane::goUp);
    connect(m_graph, &GraphView::breadcrumbsChanged, this, &HierarchyPane::showBreadcrumbs);
    connect(m_ui->where, &Breadcrumbs::chosen, this, &HierarchyPane::goToCrumb);
}

} // namespace sunder
