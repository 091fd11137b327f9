#include "canvas/picture_view.h"

#include "canvas/camera.h"
#include "canvas/canvas_overlay.h"
#include "canvas/item_description.h"
#include "canvas/map_labels.h"
#include "canvas/motion.h"
#include "canvas/painted_children.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_painter.h"
#include "text/shown_text.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QTimerEvent>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace sunder {

namespace {

constexpr double kFitZoom = 1.25; ///< maximum for small pictures
constexpr double kSelectionMargin = 48; ///< shows the surroundings of the selection

} // namespace

PictureView::PictureView(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_glide.setStartValue(0.0);
    m_glide.setEndValue(1.0);
    m_glide.setDuration(PictureTransition::kDurationMs);
    m_glide.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_glide, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_glide, &QVariantAnimation::finished, this, &PictureView::stopGliding);
}

void PictureView::setPicture(ScenePicturePtr picture, NodeId anchor)
{
    CanvasScene before; // without looks
    before.setPicture(m_scene.sharedPicture());
    const NodeId currentNode = m_current && !before.item(m_current).nodes.empty() ? before.item(m_current).nodes.front()
                                                                                  : NodeId();
    const std::string currentKey = m_current ? before.item(m_current).key : std::string();
    const Camera cameraBefore = camera();
    pictureWillChange();
    m_pointed = {};
    m_pointedEdges.clear();
    m_scene.setPicture(std::move(picture));
    m_isSeen = m_isSeen && !before.isEmpty() && !m_scene.isEmpty();
    m_selectedEdge = m_edgeEnds ? edgeWith(*m_scene.sharedPicture(), *m_edgeEnds) : -1;
    m_view.invalidate();
    if (m_fitting == Fitting::whole)
        showWhole();
    else if (before.isEmpty() || (m_fitting == Fitting::opening && opensWhole(m_scene, size())))
        showReadable();
    else
        setCamera(keepingPlace(camera(), before, m_scene, anchor, size()));
    m_current = {};
    const ItemId sameKey = m_scene.itemWithKey(currentKey);
    setCurrentItem(sameKey ? sameKey : m_scene.itemOf(currentNode));
    PaintedChildren::childrenChanged(this);
    m_overlay.placeLegend(sight());
    glideFrom(before, cameraBefore);
    update();
}

void PictureView::glideFrom(const CanvasScene& before, const Camera& camera)
{
    stopGliding();
    if (!isVisible() || Motion::isReduced())
        return;
    m_transition.prepare({before, camera}, {m_scene, m_view.camera()}, size());
    if (isGliding())
        m_glide.start();
}

void PictureView::stopGliding()
{
    m_glide.stop();
    m_transition.clear();
    update();
}

void PictureView::setPictureStyle(PictureStyle style)
{
    m_scene.editStyle() = std::move(style);
    m_view.invalidate();
}

void PictureView::setTheme(const Theme& theme)
{
    m_scene.editStyle().theme = &theme;
    m_view.invalidate();
}

void PictureView::setTags(std::vector<TagLook> tags, std::vector<std::int32_t> tagOf, TagsWithin within)
{
    PictureStyle& style = m_scene.editStyle();
    style.tags = std::move(tags);
    style.tagOf = std::move(tagOf);
    style.within = std::move(within);
    m_view.invalidate();
}

void PictureView::setCosts(std::optional<CostColors> costs)
{
    if (!costs && !m_scene.style().costs)
        return;
    m_scene.editStyle().costs = std::move(costs);
    m_view.invalidate();
}

void PictureView::setSelectedNodes(std::span<const NodeId> nodes)
{
    m_scene.editStyle().selected = NodeSet(nodes);
    m_view.invalidate();
}

void PictureView::setFoundNodes(std::span<const NodeId> nodes)
{
    m_scene.editStyle().found = NodeSet(nodes);
    m_view.invalidate();
}

void PictureView::setCounterparts(std::span<const NodeId> nodes)
{
    if (nodes.empty() && m_scene.style().counterparts.empty())
        return;
    m_scene.editStyle().counterparts = NodeSet(nodes);
    m_view.invalidate();
}

void PictureView::setFindings(std::span<const NodeId> marked, std::span<const NodeId> noted, std::vector<BackwardMark> backward)
{
    PictureStyle& style = m_scene.editStyle();
    style.marked = NodeSet(marked);
    style.noted = NodeSet(noted);
    style.backward = std::move(backward);
    m_view.invalidate();
}

void PictureView::setSelectedEdge(const std::optional<EdgeEnds>& ends)
{
    if (ends == m_edgeEnds)
        return;
    m_edgeEnds = ends;
    m_selectedEdge = ends ? edgeWith(*m_scene.sharedPicture(), *ends) : -1;
    update();
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

QString PictureView::describeEdge(std::uint32_t edge) const
{
    const Picture& picture = m_scene.picture();
    return m_edgeWords ? m_edgeWords(picture, picture.edges[edge]) : edgeTooltip(m_scene, edge);
}

void PictureView::setPointedEdges(std::vector<std::uint32_t> edges)
{
    if (edges == m_pointedEdges)
        return;
    m_pointedEdges = std::move(edges);
    update();
}

void PictureView::setLegendVisible(bool visible)
{
    m_overlay.setLegendVisible(visible);
    m_overlay.placeLegend(sight());
    update();
}

void PictureView::setMinimapVisible(bool visible)
{
    m_overlay.setMinimapVisible(visible);
    update();
}

void PictureView::setCamera(const Camera& camera)
{
    m_cameraFor = size();
    if (camera == m_view.camera())
        return;
    m_fitting = Fitting::none;
    stopGliding(); // the user is faster than the animation
    m_view.setCamera(camera);
    emit cameraChanged(m_view.camera());
}

void PictureView::showWhole()
{
    setCamera(wholeCamera(m_scene, size(), kFitZoom));
    m_fitting = Fitting::whole;
}

void PictureView::fitAll()
{
    showWhole();
    m_overlay.placeLegend(sight());
    emit fitRequested();
    emit zoomChosen(camera().zoom());
}

void PictureView::setZoom(double zoom)
{
    setCamera(camera().zoomedAt(QRectF(rect()).center(), zoom / camera().zoom()));
}

void PictureView::setNotes(std::vector<PictureNote> notes)
{
    m_scene.editStyle().notes = std::move(notes);
    update();
}

std::optional<PlacedNote> PictureView::noteAt(QPointF view) const
{
    const std::vector<PlacedNote> notes = placeNotes(paintContext());
    const auto found = std::find_if(notes.rbegin(), notes.rend(),
                                    [view](const PlacedNote& note) { return note.rect.contains(view); });
    return found == notes.rend() ? std::nullopt : std::optional(*found);
}

void PictureView::holdNote(std::optional<PictureNote> note)
{
    m_heldNote = std::move(note);
    update();
}

bool PictureView::zoomToSelection()
{
    std::optional<Rect> bounds = m_scene.boundsOf(m_scene.style().selected.nodes());
    if (!bounds && m_selectedEdge >= 0) {
        const PictureEdge& edge = m_scene.picture().edges[static_cast<std::size_t>(m_selectedEdge)];
        bounds = united(m_scene.tables().rectOf(edge.from), m_scene.tables().rectOf(edge.to));
    }
    if (!bounds)
        return false;
    setCamera(Camera::fitting(*bounds, size(), kSelectionMargin, kFitZoom));
    emit zoomChosen(camera().zoom());
    return true;
}

void PictureView::showReadable()
{
    m_opensWhole = opensWhole(m_scene, size());
    const Camera opening = openingCamera(m_scene, size());
    const QRectF map = m_overlay.minimapRect({m_scene, opening, size()});
    setCamera(map.isEmpty() ? opening : openingCamera(m_scene, size(), width() - map.left()));
    m_fitting = Fitting::opening;
}

void PictureView::refit()
{
    if (m_fitting == Fitting::whole)
        return showWhole();
    if (m_fitting == Fitting::opening && !(m_opensWhole && m_isSeen))
        return showReadable();
    if (m_fitting == Fitting::opening) {
        setCamera(wholeCamera(m_scene, size(), 1));
        m_fitting = Fitting::opening;
        return;
    }
    const QSize grown = size() - m_cameraFor;
    setCamera(camera().pannedBy(QPointF(grown.width(), grown.height()) / 2));
}

void PictureView::zoomAt(QPointF at, double factor)
{
    setCamera(camera().zoomedAt(at, factor));
    emit zoomChosen(camera().zoom());
}

void PictureView::showNodes(std::span<const NodeId> nodes)
{
    setCamera(showingNodes(m_scene, camera(), nodes, size()));
}

void PictureView::centerOnNodes(std::span<const NodeId> nodes)
{
    setCamera(centeredOnFirst(m_scene, camera(), nodes, size()));
}

void PictureView::setPointedItem(ItemId item)
{
    if (item == m_pointed)
        return;
    m_pointed = item;
    update();
}

void PictureView::setCurrentItem(ItemId item)
{
    if (item == m_current)
        return;
    m_current = item;
    update();
    emit currentItemChanged(item);
    if (hasFocus())
        PaintedChildren::currentChanged(this);
}

QString PictureView::describeItem(ItemId item) const
{
    return item ? sunder::describeItem(m_scene, item, m_costWords) : QString();
}

PaintContext PictureView::paintContext() const
{
    return {.picture = m_scene.picture(),
            .style = m_scene.style(),
            .looks = m_scene.looks(),
            .camera = camera(),
            .view = QRectF(rect()),
            .pixelRatio = devicePixelRatioF()};
}

void PictureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_isSeen = !m_scene.isEmpty();
    if (isGliding())
        return paintTransition(painter);
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

void PictureView::paintTransition(QPainter& painter)
{
    const PaintContext context = paintContext();
    m_transition.paint(painter, context, m_scene.index(), m_glide.currentValue().toDouble());
    m_overlay.paint(painter, sight(), context, true);
    paintOver(painter);
}

void PictureView::paintOverlay(QPainter& painter)
{
    const PaintContext context = paintContext();
    const bool hasty = isHasty();
    paintMapLabels(painter, context, placeMapLabels(context, m_scene.tables().framesBySize()));
    paintRelations(painter, context, m_scene, m_pointed && !hasty ? m_pointed : (hasFocus() ? m_current : ItemId()));
    if (!hasty)
        paintEdges(painter, context, m_pointedEdges, EdgeEmphasis::pointed);
    if (m_selectedEdge >= 0)
        paintEdges(painter, context, std::array{static_cast<std::uint32_t>(m_selectedEdge)}, EdgeEmphasis::selected);
    if (m_current && hasFocus())
        paintFocusRing(painter, context, m_current);
    paintNotes(painter);
    m_overlay.paint(painter, sight(), context, hasty);
    // Show the change first; the map of a large picture follows in separate steps.
    constexpr int kLaterMs = 30;
    if (m_overlay.isMapLate() && !m_mapTimer.isActive())
        m_mapTimer.start(kLaterMs, this);
    paintOver(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(context.theme().selection, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PictureView::paintNotes(QPainter& painter)
{
    if (!m_heldNote) {
        const PaintContext context = paintContext();
        sunder::paintNotes(painter, context, placeNotes(context));
        return;
    }
    PictureStyle style;
    style.theme = m_scene.style().theme;
    style.notes = m_scene.style().notes;
    for (PictureNote& note : style.notes)
        if (note.node == m_heldNote->node)
            note = *m_heldNote;
    const PaintContext context{
        .picture = m_scene.picture(), .style = style, .looks = m_scene.looks(), .camera = camera(), .view = QRectF(rect())};
    sunder::paintNotes(painter, context, placeNotes(context));
}

void PictureView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_mapTimer.timerId())
        return QWidget::timerEvent(event);
    if (m_overlay.advanceMap(m_scene))
        update();
    if (m_overlay.isMapLate())
        m_mapTimer.start(0, this);
    else
        m_mapTimer.stop();
}

void PictureView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    stopGliding();
    refit();
    isFitted() ? m_overlay.placeLegend(sight()) : m_overlay.keepLegend(sight());
}

void PictureView::showToolTip(const QHelpEvent& event)
{
    if (const std::optional<PlacedNote> note = noteAt(event.pos())) {
        QToolTip::showText(event.globalPos(), folded(m_scene.style().notes[note->note].text), this, note->rect.toAlignedRect());
        return;
    }
    const CanvasToolTip tip = toolTipAt(sight(), event.pos(), m_overlay.arrowAt(event.pos()), m_edgeWords, m_costWords);
    QToolTip::showText(event.globalPos(), tip.text, this, tip.area);
}

bool PictureView::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ToolTip: showToolTip(*static_cast<QHelpEvent*>(event)); return true;
    case QEvent::NativeGesture: return m_view.gesture(*static_cast<QNativeGestureEvent*>(event)) || QWidget::event(event);
    default: return QWidget::event(event);
    }
}

void PictureView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
    PaintedChildren::currentChanged(this);
}

void PictureView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_view.releaseSpace();
    update();
}

} // namespace sunder

#include "moc_picture_view.cpp"
