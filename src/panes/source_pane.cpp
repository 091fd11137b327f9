#include "panes/source_pane.h"

#include "document/picked_tag.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/fill_bar.h"
#include "support/json_writer.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {
namespace {
constexpr const char* kKeptColors = "colors";
constexpr const char* kKeptDevice = "device"; ///< logical id of the device that seconds are for
} // namespace

SourcePane::SourcePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : Pane(tr("Source"), parent), m_document(document),
      m_view(new GraphView(jobs, std::move(engine), QStringLiteral("source"), this)), m_colors(new SourceColors(document, this)),
      m_legend(new CostLegend(this)), m_sequence(new SequencePanel(document, jobs, m_view->canvas(), this))
{
    auto* beside = new QSplitter(this);
    beside->setHandleWidth(1);
    beside->setChildrenCollapsible(false);
    beside->addWidget(m_sequence);
    beside->addWidget(m_view);
    beside->setStretchFactor(1, 1);
    column().addWidget(m_legend);
    column().addWidget(beside, 1);
    m_fills = new SourceFills(document, jobs, canvas(), this);
    new FillBar(*m_fills, canvas(), this);
    canvas().setObjectName(QStringLiteral("sourceCanvas"));

    header().addWidget(m_colors);
    connect(m_colors, &SourceColors::colorsChanged, this, [this] {
        m_sequence->showCut(m_document.isOpen() ? m_colors->cut() : nullptr, m_colors->run());
        showColors();
        showFindings();
    });
    connect(m_legend, &CostLegend::retryRequested, this, [this] {
        m_document.costs().retry();
        showCosts();
    });
    canvas().setCostWords(
        [this](std::span<const NodeId> nodes) { return m_document.isOpen() ? m_document.costs().describe(nodes) : QString(); });
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph (F)")), &QToolButton::clicked, this,
            [this] { canvas().fitAll(); });
    connect(header().addButton(QStringLiteral("open-all"), tr("Expand all modules (Ctrl+Shift+O)")), &QToolButton::clicked,
            m_view, &GraphView::openAll);
    connect(header().addButton(QStringLiteral("fold-all"), tr("Collapse all modules (Ctrl+Shift+W)")), &QToolButton::clicked,
            m_view, &GraphView::foldAll);
    connect(header().addButton(QStringLiteral("first-sight"), tr("Reset view (Ctrl+Shift+F)")), &QToolButton::clicked, m_view,
            &GraphView::showFirstSight);
    connect(&header().breadcrumbs(), &Breadcrumbs::chosen, m_view, &GraphView::showCrumb);
    connect(m_view, &GraphView::breadcrumbsChanged, this, [this] { header().breadcrumbs().setParts(m_view->breadcrumbs()); });
    connect(m_view, &GraphView::pictureShown, this, &SourcePane::pictureShown);
    addLinkButton();
    link(*m_view);
    connectCanvas();
    connectSequence();
    connect(&document, &Document::changed, this, &SourcePane::documentChanged);
    connect(&canvas(), &CanvasWidget::hovered, &document,
            [this](const std::vector<NodeId>& nodes) { m_document.marks().setHovered(nodes); });
    connect(&document.marks(), &Marks::hoverChanged, this, [this] {
        const bool isHere = canvas().underMouse(); // the canvas highlights its own hovered item
        canvas().setCounterparts(isHere ? std::vector<NodeId>() : m_document.marks().hovered());
    });
    connect(&document.marks(), &Marks::foundChanged, this, [this] { canvas().setFoundNodes(m_document.marks().found()); });
    connect(&document.marks(), &Marks::revealRequested, this, [this] {
        // A source node requested by a search or a problem is shown even if the pane does not follow.
        const bool isAskedFor = m_document.marks().selection().run == 0;
        if (isAskedFor)
            m_view->leaveIsolationFor(m_document.marks().selection().source);
        if ((isAskedFor || isFollowing()) && !m_document.marks().selection().source.empty())
            m_view->showNodes(m_document.marks().selection().source);
    });
    refreshTheme();
}

void SourcePane::connectCanvas()
{
    connect(&canvas(), &CanvasWidget::selectionRequested, this, &SourcePane::select);
    connect(m_view, &GraphView::edgePicked, this, [this](const SelectedEdge& edge) { m_document.marks().selectEdge(edge); });
    connect(&canvas(), &CanvasWidget::strokeStarted, this, [this](StrokeKind kind) {
        m_colors->showTags(); // show the tags that are being painted
        m_document.painting().beginStroke();
        m_erasing = kind == StrokeKind::erase;
    });
    connect(&canvas(), &CanvasWidget::strokeExtended, this, &SourcePane::stroke);
    connect(&canvas(), &CanvasWidget::strokeFinished, this, [this] { m_document.painting().commitStroke(); });
    connect(&canvas(), &CanvasWidget::strokeCancelled, this, [this] { m_document.painting().cancelStroke(); });
    connect(&canvas(), &CanvasWidget::contextMenuRequested, this, [this](ItemId item, const QPoint& at) {
        QString module;
        std::vector<NodeId> nodes;
        if (item) {
            const Item& clicked = canvas().picture()->items[item.index()];
            nodes = clicked.nodes;
            module = clicked.canOpen ? exact(clicked.key) : QString();
            const auto& selected = m_document.marks().selection().source;
            const bool inside = !nodes.empty() && std::binary_search(selected.begin(), selected.end(), nodes.front());
            if (!inside)
                select(nodes, SelectionMode::replace);
        }
        emit menuRequested(at, module, nodes);
    });
    connect(m_fills, &SourceFills::message, this, &SourcePane::message);
    connect(&canvas(), &CanvasWidget::tagPicked, this, [this](const std::vector<NodeId>& nodes) { pickTag(m_document, nodes); });
    connect(&canvas(), &CanvasWidget::backwardCardClicked, this, &SourcePane::repairsRequested);
    connect(&canvas(), &CanvasWidget::legendDismissed, this, [this] { canvas().setLegendVisible(false); });
}

void SourcePane::connectSequence()
{
    connect(m_sequence, &SequencePanel::previewed, this, &SourcePane::showPreview);
    connect(m_sequence, &SequencePanel::straightenRequested, this, &SourcePane::straightenRequested);
    connect(m_sequence, &SequencePanel::message, this, &SourcePane::message);
}

std::string SourcePane::viewState() const
{
    const std::string colors = m_colors->choice();
    const std::optional<std::int64_t>& device = m_document.costs().chosenDevice();
    if (colors.empty() && !device)
        return {};
    JsonWriter json(0);
    json.object([&] {
        if (!colors.empty())
            json.rawMember(kKeptColors, colors);
        if (device)
            json.member(kKeptDevice, *device);
    });
    return json.takeRaw();
}

void SourcePane::restoreViewState(JsonValue kept)
{
    const JsonValue device = kept.member(kKeptDevice);
    m_document.costs().setDevice(device.is(JsonType::integer) ? std::optional(device.asInteger()) : std::nullopt);
    m_colors->restoreChoice(kept.member(kKeptColors));
}

void SourcePane::showPreview(const std::vector<std::pair<NodeId, std::int32_t>>& changes)
{
    if (!m_document.isOpen())
        return;
    if (!changes.empty())
        m_colors->showTags(); // show the tags whose boundary moves
    if (changes.empty() || m_colors->cut()) {
        showColors();
        return;
    }
    std::vector<std::int32_t> table = tagTableOf(m_document);
    for (const auto& [node, tag] : changes)
        table[node.index()] = tag;
    canvas().setTags(tagLooksOf(m_document, currentTheme()), std::move(table));
}

void SourcePane::showProposal(const TagAssignment* tags)
{
    if (!m_document.isOpen())
        return;
    if (tags != nullptr) {
        m_colors->showTags();
        canvas().setTags(proposedLooksOf(m_document, *tags, currentTheme()), tagTableOf(m_document, *tags));
        canvas().setFindings({}, {}, {}); // they refer to the document's tags
    } else {
        showColors();
        showFindings();
    }
    m_sequence->showProposal(tags);
}

void SourcePane::documentChanged(Changes what)
{
    if (what.testFlag(Change::program)) {
        if (m_document.isOpen())
            m_view->setGraph({m_document.snapshot(), &m_document.snapshot()->program}, m_document.snapshot()->program.root,
                             m_document.displayName());
        else
            m_view->setGraph(nullptr, {}, {});
        refreshTheme();
    }
    if (what & (Change::operators | Change::sizes))
        m_view->exchangeProgram({m_document.snapshot(), &m_document.snapshot()->program});
    if (what.testFlag(Change::sizes))
        m_view->redraw();
    if (what & (Change::tags | Change::tagList))
        showColors();
    if (what.testFlag(Change::check))
        showFindings();
    if (what & (Change::activeTag | Change::program))
        canvas().setActiveTag(m_document.activeTag());
    if (what & (Change::notes | Change::program))
        canvas().setNotes(pictureNotesOf(m_document));
    if (what.testFlag(Change::selection))
        showSelection();
}

void SourcePane::showColors()
{
    const SplitOutcomePtr cut = m_document.isOpen() ? m_colors->cut() : nullptr;
    if (cut)
        canvas().setTags(cutLooksOf(m_document, *cut, currentTheme()), cutTableOf(m_document, *cut));
    else
        canvas().setTags(shownLooksOf(m_document, currentTheme()), tagTableOf(m_document));
    showCosts();
}

void SourcePane::showCosts()
{
    const CostFiguresPtr figures = m_colors->costs();
    canvas().setCosts(figures ? std::optional<CostColors>(figures) : std::nullopt);
    const Costs& costs = m_document.costs();
    if (figures)
        m_legend->showScale(CostColors(figures));
    else if (!m_colors->areCosts() || !m_document.isOpen())
        m_legend->hide();
    else if (costs.state() == Costs::State::failed)
        m_legend->showText(tr("Costs are not known: %1").arg(costs.why()), true);
    else if (costs.state() == Costs::State::underWay)
        m_legend->showText(tr("Counting…"), false);
    else
        m_legend->showText(m_colors->refusal(), false);
}

/// Problems of a split refer to painted tags, so they are hidden while other colors are shown.
void SourcePane::showFindings()
{
    if (m_colors->cut() || m_colors->costs())
        canvas().setFindings({}, {}, {});
    else
        canvas().setFindings(markedNodesOf(m_document), notedNodesOf(m_document), backwardMarksOf(m_document, currentTheme()));
}

void SourcePane::showSelection()
{
    canvas().setSelectedNodes(m_document.marks().selection().source);
    canvas().setSelectedEdge(m_document.marks().selectedEdgeIn(0, m_view->graphId()));
    if (!m_selecting && m_document.marks().selection().source.size() == 1)
        canvas().setCurrentNode(m_document.marks().selection().source.front());
    if (!m_selecting && isFollowing() && !m_document.marks().selection().source.empty())
        m_view->showNodes(m_document.marks().selection().source);
    emit m_view->breadcrumbsChanged();
}

void SourcePane::select(const std::vector<NodeId>& nodes, SelectionMode mode)
{
    std::vector<NodeId> wanted = nodes;
    const std::vector<NodeId>& before = m_document.marks().selection().source;
    if (mode == SelectionMode::add) {
        wanted.insert(wanted.end(), before.begin(), before.end());
    } else if (mode == SelectionMode::toggle) {
        const bool all = std::all_of(nodes.begin(), nodes.end(),
                                     [&](NodeId id) { return std::binary_search(before.begin(), before.end(), id); });
        std::vector<NodeId> sorted = nodes;
        std::sort(sorted.begin(), sorted.end());
        wanted.clear();
        if (all)
            std::set_difference(before.begin(), before.end(), sorted.begin(), sorted.end(), std::back_inserter(wanted));
        else
            std::set_union(before.begin(), before.end(), sorted.begin(), sorted.end(), std::back_inserter(wanted));
    }
    QString what;
    if (mode == SelectionMode::replace && nodes.size() > 1 && canvas().picture() && canvas().currentItem()) {
        const Item& item = canvas().picture()->items[canvas().currentItem().index()];
        if (item.nodes.size() == nodes.size())
            what = exact(item.isGroup ? item.title : item.key);
    }
    m_selecting = true;
    const NodeId focus = mode == SelectionMode::replace ? m_view->boxedNode(nodes) : NodeId();
    m_document.marks().select(std::move(wanted), focus ? QString() : what, focus);
    m_selecting = false;
}

void SourcePane::stroke(const std::vector<NodeId>& nodes)
{
    const std::int32_t tag = m_erasing ? TagAssignment::kUntagged : m_document.activeTag();
    if (m_document.painting().paint(nodes, tag) > 0)
        return;
    // Locked and protected ops keep their tag, but the canvas already shows the tag of the stroke.
    if (std::ranges::any_of(nodes, [&](NodeId id) { return m_document.tags()[id] != tag; })) {
        showColors();
        showFindings();
    }
}

void SourcePane::refreshTheme()
{
    canvas().setPictureStyle(pictureStyleOf(m_document, currentTheme()));
    if (m_colors->cut() || m_colors->areCosts()) {
        showColors();
        showFindings();
    }
    canvas().setActiveTag(m_document.activeTag());
    m_sequence->refreshLooks();
}

} // namespace sunder

#include "moc_source_pane.cpp"
