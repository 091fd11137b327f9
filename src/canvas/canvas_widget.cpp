#include "canvas/canvas_widget.h"

#include "canvas/camera_policy.h"
#include "canvas/canvas_accessible.h"
#include "canvas/item_description.h"
#include "canvas/painted_children.h"
#include "canvas/picture_painter.h"
#include "canvas/tools/pan_tool.h"
#include "canvas/tools/rectangle_tool.h"
#include "canvas/tools/select_tool.h"
#include "canvas/tools/stroke_tool.h"

#include <QPaintEvent>
#include <QTimerEvent>

#include <algorithm>

namespace sunder {
namespace {

constexpr double kShowMargin = 40;
constexpr double kLeastRadius = 1;
constexpr double kMostRadius = 200;

} // namespace

CanvasWidget::CanvasWidget(QWidget* parent)
    : QWidget(parent),
      m_tools{std::make_unique<SelectTool>(), std::make_unique<StrokeTool>(StrokeKind::paint),
              std::make_unique<StrokeTool>(StrokeKind::erase), std::make_unique<RectangleTool>(), std::make_unique<PanTool>()}
{
    qRegisterMetaType<ItemId>();
    qRegisterMetaType<NodeId>();
    qRegisterMetaType<Camera>();
    qRegisterMetaType<std::vector<NodeId>>();
    qRegisterMetaType<SelectionMode>();
    qRegisterMetaType<StrokeKind>();
    installCanvasAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
}

CanvasWidget::~CanvasWidget() = default;

void CanvasWidget::setPicture(ScenePicturePtr picture, NodeId anchor)
{
    CanvasScene before; // without its looks
    before.setPicture(m_scene.sharedPicture());
    const NodeId currentNode = m_current && !before.item(m_current).nodes.empty() ? before.item(m_current).nodes.front()
                                                                                  : NodeId();
    const std::string currentKey = m_current ? before.item(m_current).key : std::string();
    if (m_pressed != nullptr)
        m_pressed->cancel(*this);
    m_pressed = nullptr;
    m_hovered = {};
    m_scene.setPicture(std::move(picture));
    m_view.invalidate();
    if (before.isEmpty()) {
        showReadable();
    } else {
        setCamera(keepingPlace(camera(), before, m_scene, anchor, size()));
        m_untouched = false;
    }
    m_current = {};
    const ItemId sameKey = m_scene.itemWithKey(currentKey);
    setCurrentItem(sameKey ? sameKey : m_scene.itemOf(currentNode));
    PaintedChildren::childrenChanged(this);
    m_legend.place(m_scene, camera(), size());
    update();
}

void CanvasWidget::styleChanged()
{
    m_view.invalidate();
}

void CanvasWidget::setPictureStyle(PictureStyle style)
{
    m_scene.editStyle() = std::move(style);
    styleChanged();
}

void CanvasWidget::setTheme(const Theme& theme)
{
    m_scene.editStyle().theme = &theme;
    styleChanged();
}

void CanvasWidget::setTags(std::vector<TagLook> tags, std::vector<std::int32_t> tagOf, TagsWithin within)
{
    PictureStyle& style = m_scene.editStyle();
    style.tags = std::move(tags);
    style.tagOf = std::move(tagOf);
    style.within = std::move(within);
    styleChanged();
}

void CanvasWidget::setSelectedNodes(std::span<const NodeId> nodes)
{
    m_scene.editStyle().selected = NodeSet(nodes);
    styleChanged();
}

void CanvasWidget::setFoundNodes(std::span<const NodeId> nodes)
{
    m_scene.editStyle().found = NodeSet(nodes);
    styleChanged();
}

void CanvasWidget::setCounterparts(std::span<const NodeId> nodes)
{
    if (nodes.empty() && m_scene.style().counterparts.empty())
        return;
    m_scene.editStyle().counterparts = NodeSet(nodes);
    styleChanged();
}

void CanvasWidget::setFindings(std::span<const NodeId> marked, std::vector<BackwardMark> backward)
{
    PictureStyle& style = m_scene.editStyle();
    style.marked = NodeSet(marked);
    style.backward = std::move(backward);
    styleChanged();
}

void CanvasWidget::setTool(ToolKind tool)
{
    if (tool == m_toolKind)
        return;
    activeTool().deactivate(*this);
    m_pressed = nullptr;
    m_toolKind = tool;
    activeTool().activate(*this);
    updateCursor();
    update();
}

void CanvasWidget::setActiveTag(int tag)
{
    m_activeTag = tag;
    update();
}

void CanvasWidget::setBrushRadius(double radius)
{
    const double held = std::clamp(radius, kLeastRadius, kMostRadius);
    if (held == m_brushRadius)
        return;
    m_brushRadius = held;
    update();
}

void CanvasWidget::setLegendVisible(bool visible)
{
    m_legend.setVisible(visible);
    m_legend.place(m_scene, camera(), size());
    update();
}

void CanvasWidget::setMinimapVisible(bool visible)
{
    m_minimapVisible = visible;
    update();
}

void CanvasWidget::setCamera(const Camera& camera)
{
    if (camera == m_view.camera())
        return;
    m_untouched = false;
    m_view.setCamera(camera);
    emit cameraChanged(m_view.camera());
}

Rect CanvasWidget::visibleScene() const
{
    return camera().toScene(QRectF(rect()));
}

void CanvasWidget::showWhole()
{
    setCamera(Camera::fitting(m_scene.bounds(), size(), 20, 1.25));
}

void CanvasWidget::fitAll()
{
    showWhole();
    emit zoomChosen(camera().zoom());
}

void CanvasWidget::setZoom(double zoom)
{
    setCamera(camera().zoomedAt(QRectF(rect()).center(), zoom / camera().zoom()));
}

void CanvasWidget::showReadable()
{
    const Camera opening = openingCamera(m_scene, size());
    const QRectF map = m_minimapVisible ? m_minimap.rect(m_scene, opening, size()) : QRectF();
    setCamera(map.isEmpty() ? opening : openingCamera(m_scene, size(), width() - map.left()));
    m_untouched = true;
}

void CanvasWidget::zoomBy(double factor)
{
    zoomAt(QRectF(rect()).center(), factor);
}

void CanvasWidget::zoomAt(QPointF at, double factor)
{
    setCamera(camera().zoomedAt(at, factor));
    emit zoomChosen(camera().zoom());
}

void CanvasWidget::showNodes(std::span<const NodeId> nodes)
{
    if (const std::optional<Rect> bounds = m_scene.boundsOf(nodes)) {
        const Camera moved = camera().showing(*bounds, size(), kShowMargin);
        const bool fits = QRectF(rect()).contains(moved.toView(*bounds));
        const Rect seen = visibleScene();
        if (fits)
            setCamera(moved);
        else if (std::none_of(nodes.begin(), nodes.end(), [&](NodeId node) {
                     const ItemId item = m_scene.itemOf(node);
                     return item && seen.contains(m_scene.tables().rectOf(item).center());
                 }))
            centerOnNodes(nodes);
    }
}

void CanvasWidget::centerOnNodes(std::span<const NodeId> nodes)
{
    for (const NodeId node : nodes)
        if (const ItemId item = m_scene.itemOf(node)) {
            setCamera(camera().centeredOn(m_scene.item(item).rect.center(), size()));
            return;
        }
}

void CanvasWidget::setCurrentItem(ItemId item)
{
    if (item == m_current)
        return;
    m_current = item;
    update();
    emit currentItemChanged(item);
    if (hasFocus())
        PaintedChildren::currentChanged(this);
}

void CanvasWidget::setCurrentNode(NodeId node)
{
    setCurrentItem(m_scene.itemOf(node));
}

ItemId CanvasWidget::itemAt(QPointF view) const
{
    const QPointF at = camera().toScene(view);
    return m_scene.index().itemAt({static_cast<float>(at.x()), static_cast<float>(at.y())});
}

QRectF CanvasWidget::viewRectOf(ItemId item) const
{
    return item ? camera().toView(m_scene.item(item).rect) : QRectF();
}

QString CanvasWidget::describeItem(ItemId item) const
{
    return item ? sunder::describeItem(m_scene, item) : QString();
}

PaintContext CanvasWidget::paintContext() const
{
    return {.picture = m_scene.picture(),
            .style = m_scene.style(),
            .looks = m_scene.looks(),
            .camera = camera(),
            .view = QRectF(rect()),
            .pixelRatio = devicePixelRatioF()};
}

void CanvasWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_view.paint(
        painter,
        {.background = m_scene.style().theme->canvas, .paint = [this](QPainter& into, const Camera& camera, const QRectF& part) {
             PaintContext context = paintContext();
             context.camera = camera;
             context.view = part;
             paintPicture(into, context, m_scene.index());
         }});
    paintOverlay(painter);
}

void CanvasWidget::paintOverlay(QPainter& painter)
{
    const PaintContext context = paintContext();
    const Theme& theme = context.theme();
    const ItemId related = m_hovered && !m_inStroke ? m_hovered : (hasFocus() ? m_current : ItemId());
    paintRelations(painter, context, m_scene, related);
    if (m_current && hasFocus())
        paintFocusRing(painter, context, m_current);
    m_cards = placeBackwardCards(context);
    paintBackwardCards(painter, context, m_cards);
    m_arrows = edgeArrows(m_scene, camera(), QRectF(rect()),
                          m_minimapVisible ? m_minimap.rect(m_scene, camera(), size()) : QRectF());
    paintEdgeArrows(painter, theme, m_arrows);
    if (m_minimapVisible)
        paintMinimap(painter);
    m_legend.paint(painter, theme);
    if (!m_view.isPanning())
        (m_pressed != nullptr ? *m_pressed : activeTool()).paint(*this, painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// What changed shows first; the map of a large picture follows in steps of its own.
void CanvasWidget::paintMinimap(QPainter& painter)
{
    constexpr int kLaterMs = 30;
    m_minimap.paint(painter, m_scene, camera(), size(), devicePixelRatioF(), m_inStroke);
    if (m_minimap.isLate() && !m_mapTimer.isActive())
        m_mapTimer.start(kLaterMs, this);
}

void CanvasWidget::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_mapTimer.timerId())
        return QWidget::timerEvent(event);
    if (m_minimap.advance(m_scene))
        update();
    if (m_minimap.isLate())
        m_mapTimer.start(0, this);
    else
        m_mapTimer.stop();
}

void CanvasWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_untouched)
        showReadable();
    m_legend.place(m_scene, camera(), size());
}

} // namespace sunder
