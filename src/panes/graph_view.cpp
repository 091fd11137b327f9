#include "panes/graph_view.h"

#include "canvas/camera.h"
#include "canvas/picture_style.h"
#include "document/text.h"
#include "models/edge_text.h"
#include "panes/flow_settings.h"
#include "panes/ui_graph_view.h"

#include <QToolButton>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {
constexpr double kMargin = 24;

/// Returns whether a view's size changed enough to draw its graph again. A message that appears above the graph does not count.
bool isOtherSize(QSize before, QSize after)
{
    constexpr double kNoticed = 0.12; // fraction of the width or height
    const auto differ = [](int a, int b) { return std::abs(a - b) > kNoticed * std::max(a, b); };
    return differ(before.width(), after.width()) || differ(before.height(), after.height());
}

} // namespace

GraphView::GraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_engine(std::move(engine)), m_key(key), m_ui(std::make_unique<Ui::GraphView>())
{
    m_ui->setupUi(this);
    m_ui->isolation->hide();
    connect(m_ui->showAll, &QToolButton::clicked, this, &GraphView::leaveIsolation);
    m_canvas = m_ui->canvas;
    m_oneColumn = isOneColumnWanted();
    m_direction = wantedDirection();
    m_assertions = areAssertionsWanted();
    connect(m_canvas, &CanvasWidget::fitRequested, this, &GraphView::fitColumns);
    connect(m_canvas, &CanvasWidget::itemActivated, this, &GraphView::toggle);
    m_canvas->setEdgeWords([this](const Picture& picture, const PictureEdge& edge) { return edgeWords(picture, edge); });
    connect(m_canvas, &CanvasWidget::edgeRequested, this, &GraphView::pickEdge);
    connect(m_canvas, &CanvasWidget::edgeMenuRequested, this, &GraphView::pickForMenu);
    connect(m_canvas, &CanvasWidget::aboutToGo, this, &GraphView::aboutToGo);
    connect(m_canvas, &CanvasWidget::goUpRequested, this, [this] { goUp(); });
    connect(m_canvas, &CanvasWidget::currentItemChanged, this, &GraphView::breadcrumbsChanged);
}

GraphView::~GraphView()
{
    ScenePicturePtr picture = m_canvas->scenePicture();
    delete m_canvas; // so that `picture` is the last reference
    Jobs::discard(std::move(picture));
    Jobs::discard(std::move(m_program));
}

void GraphView::setGraph(std::shared_ptr<const Program> program, GraphId graph, const QString& name, PictureHints hints)
{
    std::shared_ptr<const Program> programBefore = std::exchange(m_program, std::move(program));
    ScenePicturePtr pictureBefore = m_canvas->scenePicture();
    m_graph = graph;
    m_hints = std::move(hints);
    m_name = visible(name);
    m_open = {};
    setOnly({});
    m_showAfter.clear();
    m_canvas->setPicture(nullptr);
    m_ui->stack->setCurrentWidget(m_ui->waiting);
    m_isOpening = true;
    if (m_program)
        draw({}, {}, Columns::fit);
    emit breadcrumbsChanged();
    Jobs::discard(std::move(pictureBefore));
    Jobs::discard(std::move(programBefore));
}

void GraphView::exchangeProgram(std::shared_ptr<const Program> same)
{
    if (!m_program)
        return;
    std::swap(m_program, same);
    Jobs::discard(std::move(same));
    if (isDrawing()) // the running job uses the old program
        drawAgain();
}

void GraphView::redraw()
{
    if (m_program && isDrawing())
        drawAgain();
    else if (m_program && m_canvas->picture())
        request(anchorOf(m_canvas->currentItem()), Columns::keep);
}

bool GraphView::isDrawing() const
{
    return m_jobs.isRunning(QStringLiteral("picture ") + m_key);
}

void GraphView::drawAgain()
{
    const std::optional<GraphSight> sight = m_sightAfter;
    const std::function<void()> again = m_drawAgain;
    again();
    m_sightAfter = sight;
}

std::optional<GraphSight> GraphView::sight() const
{
    if (!m_program || !m_canvas->picture() || m_canvas->picture()->items.empty())
        return std::nullopt;
    if (isIsolated())
        return m_sightOfAll;
    return GraphSight{m_open, std::make_shared<const Picture>(columnsOf(*m_canvas->picture())), m_canvas->camera(),
                      m_canvas->size(), m_canvas->isWhole()};
}

void GraphView::restore(const GraphSight& sight)
{
    if (!m_program)
        return;
    m_showAfter.clear();
    m_isOpening = false;
    const bool wasIsolated = isIsolated();
    setOnly({});
    const auto startsOf = [](const Picture& picture) {
        std::vector<std::pair<std::string, NodeId>> starts;
        for (const ItemId start : picture.columnStarts)
            starts.emplace_back(picture.items[start.index()].key, picture.items[start.index()].node);
        return starts;
    };
    const bool isShown = m_canvas->picture() && !m_canvas->picture()->items.empty() && !isDrawing();
    if (isShown && !wasIsolated && m_open == sight.open && startsOf(*m_canvas->picture()) == startsOf(*sight.columns)) {
        look(sight);
        return;
    }
    draw({.open = sight.open, .previous = sight.columns}, {}, Columns::keep);
    m_sightAfter = sight;
}

/// In a view of another size, keeps the center; a fitted view is fitted again.
void GraphView::look(const GraphSight& sight)
{
    const bool isSameSize = sight.view == m_canvas->size();
    if (sight.isFitted)
        m_canvas->showReadable();
    if (sight.isFitted && (!m_canvas->isWhole() || (isSameSize && m_canvas->camera() != sight.camera)))
        m_canvas->showWhole();
    if (sight.isFitted && !isSameSize)
        return;
    const QSize grown = m_canvas->size() - sight.view;
    m_canvas->setCamera(sight.camera.pannedBy(QPointF(grown.width(), grown.height()) / 2));
}

void GraphView::takeFocus()
{
    m_ui->stack->currentWidget()->setFocus(); // the stack passes the focus on to the canvas once it is visible
}

ColumnOptions GraphView::columnOptions(Columns columns)
{
    const QSize pane = m_ui->stack->size();
    m_fittedTo = columns == Columns::fit ? pane : QSize();
    const int margins = qRound(2 * kFitMargin);
    const Size room{static_cast<float>(pane.width() - margins), static_cast<float>(pane.height() - margins)};
    if (m_oneColumn)
        return {ColumnOptions::Setting::one, room};
    return {columns == Columns::fit ? ColumnOptions::Setting::fit : ColumnOptions::Setting::keep, room};
}

void GraphView::draw(PictureRequest request, NodeId anchor, Columns columns)
{
    m_drawAgain = [this, request, anchor, columns] { draw(request, anchor, columns); };
    request.program = m_program;
    request.graph = m_graph;
    request.hints = m_hints;
    request.textWidth = pictureTextWidth();
    request.direction = m_direction;
    request.deadNodes = m_assertions;
    request.only = m_only;
    request.columns = columnOptions(columns);
    if (!request.previous)
        request.previous = m_canvas->picture();
    m_sightAfter.reset();
    if (request.open)
        m_open = *request.open; // set now: requests made before this picture is drawn start from it
    m_isFirstSight = !request.open && !request.openTowards;
    m_isOpening = m_isOpening && m_isFirstSight;
    m_jobs.start<PictureAnswer>(
        {.key = QStringLiteral("picture ") + m_key, .title = tr("Draw %1").arg(m_name), .quiet = true},
        [request = std::move(request), engine = m_engine](ProgressMonitor& monitor) { return answer(request, *engine, monitor); },
        this,
        [this, anchor, program = m_program](Result<PictureAnswer> drawn) {
            if (program != m_program)
                return;
            m_drawAgain = {};
            if (!drawn) {
                m_ui->waiting->setText(tr("The graph could not be drawn: %1").arg(withShortWords(text(drawn.error().message))));
                return;
            }
            m_open = std::move(drawn->open);
            ScenePicturePtr before = m_canvas->scenePicture();
            m_canvas->setPicture(drawn->picture, anchor);
            Jobs::discard(std::move(before));
            m_ui->stack->setCurrentWidget(m_canvas);
            const std::vector<NodeId> wanted = std::exchange(m_showAfter, {});
            if (!wanted.empty()) {
                const ItemId module = m_canvas->scene().itemWithKey(m_currentAfter);
                m_canvas->setCurrentItem(module ? module : m_canvas->scene().itemOf(wanted.front()));
                showNodes(wanted);
            }
            if (const std::optional<GraphSight> sight = std::exchange(m_sightAfter, {}))
                look(*sight);
            emit breadcrumbsChanged();
            emit pictureShown();
        });
}

void GraphView::request(NodeId anchor, Columns columns)
{
    draw(asNow(), anchor, columns);
}

PictureRequest GraphView::shownRequest() const
{
    return {.program = m_program,
            .graph = m_graph,
            .hints = m_hints,
            .open = m_open,
            .deadNodes = m_assertions,
            .only = m_only,
            .direction = m_direction,
            .textWidth = pictureTextWidth()};
}

PictureRequest GraphView::asNow() const
{
    return m_isFirstSight && isDrawing() ? PictureRequest() : PictureRequest{.open = m_open};
}

void GraphView::fitColumns()
{
    if (m_program && !m_oneColumn && m_fittedTo != m_ui->stack->size())
        request({}, Columns::fit);
}

void GraphView::setOneColumn(bool oneColumn)
{
    if (std::exchange(m_oneColumn, oneColumn) == oneColumn || !m_program)
        return;
    request(anchorOf(m_canvas->currentItem()), Columns::fit);
}

void GraphView::setDirection(FlowDirection direction)
{
    if (std::exchange(m_direction, direction) == direction || !m_program)
        return;
    m_canvas->showWhole();
    if (m_isFirstSight)
        draw({}, {}, Columns::fit);
    else
        draw({.open = m_open}, {}, Columns::fit);
}

void GraphView::setAssertions(bool areShown)
{
    if (std::exchange(m_assertions, areShown) == areShown || !m_program)
        return;
    request(anchorOf(m_canvas->currentItem()), Columns::fit);
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_isOpening = m_isOpening && !m_canvas->isSeen();
    if (m_program && m_isOpening && isOtherSize(m_fittedTo, m_ui->stack->size()))
        draw({}, {}, Columns::fit);
}

NodeId GraphView::anchorOf(ItemId item) const
{
    if (!m_canvas->picture() || !item)
        return {};
    const Item& at = m_canvas->picture()->items[item.index()];
    return at.node ? at.node : at.nodes.empty() ? NodeId() : at.nodes.front();
}

void GraphView::toggle(ItemId item, const QString& key, bool recursive)
{
    if (!m_program || key.isEmpty())
        return;
    const std::string name = key.toStdString();
    PictureRequest wanted{.open = m_open};
    if (const ItemId shown = m_canvas->scene().itemWithKey(name); shown && m_canvas->scene().item(shown).kind == ItemKind::frame)
        wanted.open->close(name);
    else if (recursive)
        wanted.open->openDeep(name);
    else
        wanted.open->openOne(name);
    draw(std::move(wanted), anchorOf(item), m_canvas->isFitted() ? Columns::fit : Columns::keep);
}

void GraphView::setOnly(std::vector<NodeId> only)
{
    m_only = std::move(only);
    m_ui->isolation->setVisible(isIsolated());
    if (!isIsolated())
        m_sightOfAll.reset();
}

void GraphView::isolate(std::vector<NodeId> nodes)
{
    std::optional<GraphSight> before = sight(); // the sight without isolation, even if a set is isolated already
    if (!before || nodes.empty())
        return;
    emit aboutToGo();
    setOnly(std::move(nodes));
    m_sightOfAll = std::move(before);
    m_canvas->showWhole();
    draw({.open = m_open}, {}, Columns::fit);
}

void GraphView::restoreIsolated(const GraphSight& whole, std::vector<NodeId> nodes)
{
    if (!m_program || nodes.empty())
        return;
    m_showAfter.clear();
    m_isOpening = false;
    setOnly(std::move(nodes));
    m_sightOfAll = whole;
    m_canvas->showWhole();
    draw({.open = whole.open}, {}, Columns::fit);
}

void GraphView::leaveIsolation()
{
    if (const std::optional<GraphSight> before = m_sightOfAll; before && isIsolated())
        restore(*before);
}

void GraphView::leaveIsolationFor(const std::vector<NodeId>& wanted)
{
    if (isIsolated() && std::ranges::none_of(wanted, [this](NodeId node) { return m_canvas->scene().itemOf(node).isValid(); }))
        leaveIsolation();
}

QString GraphView::edgeWords(const Picture& picture, const PictureEdge& edge) const
{
    return m_program ? edgeCard(*m_program, m_graph, carriedBy(m_program->graph(m_graph), picture, edge)) : QString();
}

/// Selects the edge here at once; the owner can then select it in other views.
void GraphView::pickEdge(std::uint32_t edge)
{
    const Picture& picture = *m_canvas->picture();
    if (!m_program || edge >= picture.edges.size())
        return;
    SelectedEdge picked{.graph = m_graph, .values = carriedBy(m_program->graph(m_graph), picture, picture.edges[edge])};
    if (picked.values.empty())
        return;
    m_canvas->setSelectedEdge(picked.ends());
    emit edgePicked(picked);
}

void GraphView::pickForMenu(std::uint32_t edge, const QPoint& globalPosition)
{
    pickEdge(edge);
    emit edgeMenuRequested(globalPosition);
}

void GraphView::openAll()
{
    emit aboutToGo();
    if (m_program)
        draw({.open = OpenModules{.all = true}}, anchorOf(m_canvas->currentItem()), Columns::fit);
}

void GraphView::foldAll()
{
    emit aboutToGo();
    OpenModules folded = m_open;
    folded.closeAll();
    if (m_program)
        draw({.open = std::move(folded)}, anchorOf(m_canvas->currentItem()), Columns::fit);
}

void GraphView::showFirstSight()
{
    if (!m_program)
        return;
    emit aboutToGo();
    m_canvas->showWhole();
    draw({}, {}, Columns::fit);
}

bool GraphView::goUp()
{
    const std::vector<ItemId> frames = framesAround(m_canvas->currentItem());
    if (frames.empty())
        return false;
    const ItemId frame = frames.back();
    m_open.close(m_canvas->picture()->items[frame.index()].key);
    draw({.open = m_open}, anchorOf(frame), m_canvas->isFitted() ? Columns::fit : Columns::keep);
    return true;
}

void GraphView::openTowards(const QString& modulePath, const std::vector<NodeId>& nodes)
{
    if (!m_program || nodes.empty())
        return;
    leaveIsolationFor(nodes);
    m_showAfter = nodes;
    m_currentAfter = modulePath.toStdString();
    draw({.open = m_open, .openTowards = nodes.front(), .openUntil = modulePath.toStdString()}, nodes.front(), Columns::keep);
}

NodeId GraphView::boxedNode(const std::vector<NodeId>& nodes) const
{
    const auto& picture = canvas().picture();
    if (!picture || nodes.empty() || nodes.front().index() >= picture->itemOf.size() || !picture->itemOf[nodes.front().index()])
        return {};
    const Item& item = picture->items[picture->itemOf[nodes.front().index()].index()];
    if (item.kind != ItemKind::node || item.nodes.size() != nodes.size())
        return {};
    std::vector<NodeId> shown = item.nodes;
    std::vector<NodeId> wanted = nodes;
    makeSet(shown);
    makeSet(wanted);
    return shown == wanted ? item.node : NodeId();
}

void GraphView::showNodes(const std::vector<NodeId>& nodes)
{
    if (isDrawing())
        m_showAfter = nodes;
    if (m_centering)
        m_canvas->centerOnNodes(nodes);
    else
        m_canvas->showNodes(nodes);
}

std::vector<ItemId> GraphView::framesAround(ItemId item) const
{
    std::vector<ItemId> frames;
    const auto& picture = m_canvas->picture();
    if (!picture || !item || item.index() >= picture->items.size())
        return frames;
    if (picture->items[item.index()].kind == ItemKind::frame)
        frames.push_back(item);
    for (ItemId at = picture->items[item.index()].parent; at; at = picture->items[at.index()].parent)
        frames.push_back(at);
    std::reverse(frames.begin(), frames.end());
    return frames;
}

QStringList GraphView::breadcrumbs() const
{
    QStringList parts{m_name};
    std::string outer;
    for (const ItemId frame : framesAround(m_canvas->currentItem())) {
        const Item& item = m_canvas->picture()->items[frame.index()];
        std::string part = item.key.empty() || item.isGroup ? item.title : item.key;
        const std::string whole = part;
        if (!outer.empty() && part.starts_with(outer + "."))
            part.erase(0, outer.size() + 1);
        outer = whole;
        parts << text(part);
    }
    return parts;
}

void GraphView::showCrumb(int depth)
{
    emit aboutToGo();
    const std::vector<ItemId> frames = framesAround(m_canvas->currentItem());
    if (depth <= 0 || static_cast<std::size_t>(depth) > frames.size()) {
        m_canvas->fitAll();
        return;
    }
    const ItemId frame = frames[static_cast<std::size_t>(depth) - 1];
    m_canvas->setCamera(Camera::fitting(m_canvas->picture()->items[frame.index()].rect, m_canvas->size(), kMargin));
}

} // namespace sunder

#include "moc_graph_view.cpp"
