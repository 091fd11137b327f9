// How the Hierarchy pane is put together.
#include "panes/hierarchy/hierarchy_delegate.h"
#include "panes/hierarchy/hierarchy_pane.h"

#include <QAction>
#include <QActionGroup>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sunder {

HierarchyPane::HierarchyPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, ResultKind::hierarchy, tr("Hierarchy"),
                 tr("Unflatten an exported program (Ctrl+U) to see here its modules, what each takes and gives, and its parameters."),
                 parent), m_jobs(jobs), m_model(new HierarchyModel(this)),
      m_signature(new FactTable({QString(), tr("Name"), tr("Type"), tr("Bytes")}, this)),
      m_tensors(new FactTable({tr("Name"), tr("Kind"), tr("Type"), tr("Bytes"), tr("Shared with")}, this)),
      m_notes(new FactTable({tr("What the pass did otherwise than asked")}, this)),
      m_graph(new RunGraphView(document, jobs, std::move(engine), QStringLiteral("hierarchy"), this))
{
    makeOptions();
    addExportButton(tr("Export graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("up"), tr("Go up to the module around (Backspace)")), &QToolButton::clicked, this,
            &HierarchyPane::goUp);
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph")), &QToolButton::clicked, this,
            [this] { m_graph->canvas().fitAll(); });
    addWindowButtons();
    link(*m_graph);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeSide());
    splitter->addWidget(makeModule());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({240, 420});
    column().addWidget(splitter, 1);
    connectViews();
    start();
}

void HierarchyPane::makeOptions()
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("headerChoice"));
    button->setText(tr("Options ▾"));
    button->setToolTip(tr("How the hierarchy is given back"));
    button->setFocusPolicy(Qt::TabFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    m_asUpstream = menu->addAction(tr("As &PyTorch does"));
    m_asUpstream->setCheckable(true);
    m_asUpstream->setToolTip(tr("Also where that computes something else than the model"));
    menu->addSection(tr("A value that reaches a module by the side"));
    auto* group = new QActionGroup(this);
    m_byBuffer = menu->addAction(tr("goes through its &buffer"));
    m_byBuffer->setToolTip(tr("It is written to the buffer where it is made, and read from there"));
    m_byAttribute = menu->addAction(tr("goes through an &attribute of its own"));
    m_byAttribute->setToolTip(tr("A buffer __ival__NAME, as PyTorch before 2.7 did"));
    for (QAction* action : {m_byBuffer, m_byAttribute}) {
        action->setCheckable(true);
        group->addAction(action);
    }
    m_byBuffer->setChecked(true);
    button->setMenu(menu);
    header().addWidget(button);
    for (QAction* action : {m_asUpstream, m_byBuffer, m_byAttribute})
        connect(action, &QAction::triggered, this, [this] {
            emit runRequested({.asUpstream = m_asUpstream->isChecked(),
                               .crossing = m_byAttribute->isChecked() ? CrossingValues::attribute : CrossingValues::buffer});
        });
}

QWidget* HierarchyPane::makeSide()
{
    auto* side = new QWidget(this);
    side->setObjectName(QStringLiteral("panel"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(150);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_filter = new QLineEdit(side);
    m_filter->setPlaceholderText(tr("Filter modules"));
    m_filter->setToolTip(tr("Part of a path or a class; Enter goes to the tree, Esc clears"));
    m_filter->setAccessibleName(tr("Filter modules by path or class"));
    m_filter->setClearButtonEnabled(true);
    auto* inset = new QHBoxLayout;
    inset->setContentsMargins(8, 8, 8, 4);
    inset->addWidget(m_filter);
    column->addLayout(inset);
    m_tree = new QTreeView(side);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new HierarchyDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(14);
    m_tree->setUniformRowHeights(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setAccessibleName(tr("Modules with calls and ops"));
    m_tree->header()->setStretchLastSection(true);
    column->addWidget(m_tree, 1);
    return side;
}

QTreeView* HierarchyPane::makeTable(FactTable& model, const QString& name)
{
    auto* table = new QTreeView(this);
    table->setObjectName(QStringLiteral("facts"));
    table->setModel(&model);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setAccessibleName(name);
    table->header()->setStretchLastSection(true);
    return table;
}

QWidget* HierarchyPane::makeModule()
{
    auto* splitter = new QSplitter(Qt::Vertical, this);
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
    m_noGraph->setObjectName(QStringLiteral("hint"));
    m_noGraph->setAlignment(Qt::AlignCenter);
    m_noGraph->setWordWrap(true);
    m_noGraph->setMargin(24);
    m_graphs->addWidget(m_noGraph);
    m_graphs->addWidget(m_graph);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 2, 8, 2);
    line->addWidget(m_where, 1);
    line->addWidget(m_calls);
    column->addLayout(line);
    column->addWidget(m_graphs, 1);
    splitter->addWidget(top);

    m_facts = new QTabWidget(splitter);
    m_facts->setDocumentMode(true);
    m_facts->addTab(makeTable(*m_signature, tr("Inputs and outputs of the module")), tr("Signature"));
    m_facts->addTab(makeTable(*m_tensors, tr("Parameters, buffers and constants of the module")), tr("Parameters"));
    QTreeView* notes = makeTable(*m_notes, tr("Notes of the pass"));
    notes->setWordWrap(true);
    notes->setUniformRowHeights(false);
    m_facts->addTab(notes, tr("Notes"));
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({300, 140});
    return splitter;
}

void HierarchyPane::connectViews()
{
    // Not currentChanged: that comes with the focus too, and looking is not choosing.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { choose(m_tree->currentIndex()); });
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        choose(index);
        m_graph->canvas().setFocus();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        const std::int32_t entry = m_entry;
        m_following = true;
        m_model->setFilter(text.trimmed());
        if (m_model->matchCount() > 0 && m_model->matchCount() <= 500)
            m_tree->expandAll();
        else
            m_tree->expand(m_model->index(0, 0));
        m_following = false;
        setCurrent(entry);
    });
    connect(m_filter, &QLineEdit::returnPressed, m_tree, [this] { m_tree->setFocus(); });
    auto* escape = new QShortcut(Qt::Key_Escape, m_filter);
    escape->setContext(Qt::WidgetShortcut);
    connect(escape, &QShortcut::activated, m_filter, &QLineEdit::clear);
    connect(m_calls, &QComboBox::activated, this, [this](int call) {
        m_call = call;
        showGraph();
        showFacts();
    });
    connect(&m_graph->canvas(), &CanvasWidget::nodeActivated, this, &HierarchyPane::goInto);
    connect(&m_graph->canvas(), &CanvasWidget::goUpRequested, this, [this] {
        if (m_graph->breadcrumbs().size() <= 1) // else a frame of the graph was closed
            goUp();
    });
    auto* back = new QShortcut(Qt::Key_Backspace, m_tree);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, &HierarchyPane::goUp);
    connect(m_graph, &GraphView::breadcrumbsChanged, this, &HierarchyPane::showBreadcrumbs);
    connect(m_where, &Breadcrumbs::chosen, this, [this](int part) {
        const std::vector<std::int32_t> path = pathTo(m_entry);
        if (static_cast<std::size_t>(part) < path.size())
            choose(m_model->indexOf(path[static_cast<std::size_t>(part)]));
        else
            m_graph->showCrumb(part - static_cast<int>(path.size()) + 1);
    });
}

} // namespace sunder
