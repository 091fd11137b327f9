#include "panes/submodules/submodule_view.h"

#include "document/text.h"
#include "panes/submodules/code_panel.h"
#include "panes/submodules/names_panel.h"
#include "panes/submodules/ui_submodule_view.h"

#include <algorithm>

namespace sunder {

SubmoduleView::SubmoduleView(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key,
                             PartPage page, QWidget* parent)
    : QWidget(parent), m_document(document), m_jobs(jobs), m_engine(std::move(engine)), m_key(key), m_page(std::move(page)),
      m_ui(std::make_unique<Ui::SubmoduleView>())
{
    m_ui->setupUi(this);
    m_ui->column->setStretchFactor(0, 0);
    m_ui->column->setStretchFactor(1, 1);
    m_ui->rows->hide();
    connect(m_ui->column, &QSplitter::splitterMoved, this, [this] { m_heightChosen = true; });
    connect(m_ui->rows, &InterfacePanel::nodePicked, this,
            [this](NodeId node) { pick(node, SelectionMode::replace, m_ui->rows); });
    readInterface();
}

SubmoduleView::~SubmoduleView() = default;

InterfacePanel& SubmoduleView::interfacePanel() const
{
    return *m_ui->rows;
}

void SubmoduleView::readInterface()
{
    m_jobs.start<std::shared_ptr<GraphInterface>>(
        {.key = QStringLiteral("interface ") + m_key, .title = tr("Read the interface of %1").arg(m_page.name), .quiet = true},
        [page = m_page](ProgressMonitor&) -> Result<std::shared_ptr<GraphInterface>> {
            return std::make_shared<GraphInterface>(graphInterface(page.program(), page.graph, page.outcome->split.partNames));
        },
        this,
        [this](Result<std::shared_ptr<GraphInterface>> read) {
            if (!read)
                return;
            m_ui->rows->show(m_page, std::move(**read));
            shareHeight();
            showSelection(std::vector<NodeRef>(m_selected), std::vector<NodeId>(m_calls));
            emit interfaceShown();
        });
}

void SubmoduleView::printCode()
{
    m_code->setWaiting(tr("Generating the code…"));
    m_jobs.start<std::shared_ptr<const CodeDocument>>(
        {.key = QStringLiteral("code ") + m_key, .title = tr("Generate the code of %1").arg(m_page.name), .quiet = true},
        [page = m_page, font = m_code->view().font()](ProgressMonitor& monitor) { return makeCodeDocument(page, font, monitor); },
        this,
        [this](Result<std::shared_ptr<const CodeDocument>> printed) {
            if (!printed) {
                m_code->setWaiting(tr("The code could not be generated: %1").arg(sentence(printed.error().message)));
                return;
            }
            m_code->setCode(std::move(*printed));
            m_code->view().setSelectedNodes(here(m_selected));
            m_code->view().showNodes(here(m_selected));
        });
}

void SubmoduleView::setMode(SubmoduleMode mode)
{
    m_mode = mode;
    showMode();
}

SubmoduleMode SubmoduleView::shownMode() const
{
    return m_mode == SubmoduleMode::both && width() < kRoomForBoth ? SubmoduleMode::graph : m_mode;
}

void SubmoduleView::setInterfaceVisible(bool visible)
{
    m_ui->rows->setVisible(visible);
}

void SubmoduleView::showMode()
{
    const SubmoduleMode mode = shownMode();
    const bool graph = mode == SubmoduleMode::graph || mode == SubmoduleMode::both;
    const bool code = mode == SubmoduleMode::code || mode == SubmoduleMode::both;
    if (graph && m_graph == nullptr)
        makeGraph();
    if (code && m_code == nullptr)
        makeCode();
    if (mode == SubmoduleMode::names && m_names == nullptr)
        makeNames();
    if (m_graph != nullptr)
        m_graph->setVisible(graph);
    if (m_code != nullptr)
        m_code->setVisible(code);
    if (m_names != nullptr)
        m_names->setVisible(mode == SubmoduleMode::names);
}

void SubmoduleView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_mode == SubmoduleMode::both)
        showMode();
    shareHeight();
}

/// Makes the table as high as its rows, but at most 2/5 of the column, until the user sets a height.
void SubmoduleView::shareHeight()
{
    if (m_heightChosen)
        return;
    const int wanted = std::min(m_ui->rows->sizeHint().height(), m_ui->column->height() * 2 / 5);
    m_ui->column->setSizes({wanted, m_ui->column->height() - wanted});
}

void SubmoduleView::makeGraph()
{
    m_graph = new RunGraphView(m_document, m_jobs, m_engine, m_key, m_ui->row);
    m_ui->row->insertWidget(0, m_graph);
    m_ui->row->setStretchFactor(0, 1);
    m_graph->setRun(m_page.run, {m_page.outcome, &m_page.program()}, m_page.graph, m_page.name);
    emit graphMade(m_graph);
    m_graph->showSelection(m_selected, m_calls);
    m_graph->showFoundCalls(m_foundCalls);
}

void SubmoduleView::makeCode()
{
    m_code = new CodePanel(m_ui->row);
    m_code->view().setAccessibleName(tr("Code of %1").arg(m_page.name));
    m_ui->row->insertWidget(1, m_code);
    m_ui->row->setStretchFactor(m_ui->row->indexOf(m_code), 1);
    m_ui->row->setSizes(QList<int>(m_ui->row->count(), m_ui->row->width() / 2));
    connect(&m_code->view(), &CodeView::nodePicked, this, [this](NodeId node, SelectionMode mode) { pick(node, mode, m_code); });
    connect(&m_code->view(), &CodeView::nodeHovered, this, [this](NodeId node) {
        m_document.marks().setHovered(node ? m_document.runs().sourcesOf(m_page.run, {{m_page.graph, node}})
                                           : std::vector<NodeId>());
    });
    markFoundLines();
    printCode();
}

void SubmoduleView::makeNames()
{
    m_names = new NamesPanel(m_ui->row);
    m_ui->row->addWidget(m_names);
    connect(m_names, &NamesPanel::nodePicked, this, [this](NodeRef ref) {
        m_picking = m_names;
        m_document.marks().selectIn(m_page.run, {ref});
        m_document.marks().reveal();
        m_picking = nullptr;
    });
    if (m_table)
        setNameTable(m_table);
    else
        emit namesWanted();
}

void SubmoduleView::setNameTable(std::shared_ptr<const NameTable> table)
{
    m_table = std::move(table);
    if (m_names != nullptr)
        m_names->show(m_table, m_page.part < 0 ? NameModel::kAllParts : m_page.part, m_page.outcome->split.partNames);
}

void SubmoduleView::pick(NodeId node, SelectionMode mode, const QWidget* where)
{
    const NodeRef ref{m_page.graph, node};
    std::vector<NodeRef> wanted{ref};
    if (mode != SelectionMode::replace) {
        wanted = m_document.marks().selectedIn(m_page.run);
        const auto at = std::find(wanted.begin(), wanted.end(), ref);
        if (at == wanted.end())
            wanted.push_back(ref);
        else
            wanted.erase(at);
    }
    m_picking = where;
    m_document.marks().selectIn(m_page.run, std::move(wanted));
    m_document.marks().reveal();
    m_picking = nullptr;
}

std::vector<NodeId> SubmoduleView::here(const std::vector<NodeRef>& refs) const
{
    std::vector<NodeId> nodes;
    for (const NodeRef ref : refs)
        if (ref.graph == m_page.graph)
            nodes.push_back(ref.node);
    return nodes;
}

void SubmoduleView::showSelection(const std::vector<NodeRef>& selected, const std::vector<NodeId>& calls)
{
    m_selected = selected;
    m_calls = calls;
    const std::vector<NodeId> nodes = here(selected);
    if (m_graph != nullptr)
        m_graph->showSelection(selected, calls);
    if (m_code != nullptr)
        m_code->view().setSelectedNodes(nodes.empty() ? calls : nodes);
    if (m_picking != m_ui->rows)
        m_ui->rows->showNode(nodes.size() == 1 ? nodes.front() : NodeId());
    if (m_names != nullptr && m_picking != m_names && !selected.empty())
        m_names->showNode(nodes.empty() ? selected.front() : NodeRef{m_page.graph, nodes.front()});
}

void SubmoduleView::showHovered(const std::vector<NodeRef>& hovered, const std::vector<NodeId>& calls)
{
    if (m_graph != nullptr)
        m_graph->showHovered(hovered, calls);
    if (m_code == nullptr)
        return;
    const std::vector<NodeId> nodes = here(hovered);
    m_code->view().setHoveredNodes(nodes.empty() ? calls : nodes);
    if (nodes.size() == 1 && m_code->isVisible() && !m_code->underMouse())
        m_code->view().showNodes(nodes);
}

void SubmoduleView::showFound(const std::vector<NodeRef>& hits, const std::vector<NodeId>& calls)
{
    m_found = here(hits);
    m_foundCalls = calls;
    if (m_graph != nullptr)
        m_graph->showFoundCalls(calls);
    if (m_code != nullptr)
        markFoundLines();
}

void SubmoduleView::markFoundLines()
{
    std::vector<NodeId> nodes = m_found;
    nodes.insert(nodes.end(), m_foundCalls.begin(), m_foundCalls.end());
    m_code->setFoundNodes(nodes);
}

void SubmoduleView::reveal()
{
    if (m_graph != nullptr && m_graph->isVisible() && !m_graph->isPicking())
        m_graph->reveal();
    if (m_code != nullptr && m_picking != m_code)
        m_code->view().showNodes(here(m_selected));
}

bool SubmoduleView::isPicking() const
{
    return m_picking != nullptr || (m_graph != nullptr && m_graph->isPicking());
}

void SubmoduleView::refreshTheme()
{
    if (m_code != nullptr)
        m_code->view().refreshTheme();
    m_ui->rows->viewport()->update();
}

} // namespace sunder

#include "moc_submodule_view.cpp"
