// canvas_strokes.cpp implements the ToolHost part.
#include "canvas/canvas_widget.h"

#include "canvas/canvas_accessible.h"
#include "canvas/gestures.h"
#include "canvas/item_hits.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr double kWalkMargin = 24;

} // namespace

CanvasWidget::CanvasWidget(QWidget* parent) : PictureView(parent)
{
    qRegisterMetaType<ItemId>();
    qRegisterMetaType<NodeId>();
    qRegisterMetaType<Camera>();
    qRegisterMetaType<std::vector<NodeId>>();
    qRegisterMetaType<SelectionMode>();
    qRegisterMetaType<StrokeKind>();
    qRegisterMetaType<ToolKind>();
    installCanvasAccessibility();
    setAccessibleName(tr("Graph"));
}

void CanvasWidget::setActiveTag(int tag)
{
    if (tag == m_stroke.tag())
        return;
    m_stroke.setTag(tag);
    update();
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

QString CanvasWidget::activeTagName() const
{
    const TagLook* look = lookOfTag(scene().style().tags, m_stroke.tag());
    return look == nullptr ? QString() : look->name;
}

void CanvasWidget::paintOver(QPainter& painter)
{
    if (viewport().isPanning())
        return;
    m_fill.paint(painter, sight());
    m_tools.paint(painter);
}

// Mouse ----------------------------------------------------------------------------------------

ToolEvent CanvasWidget::toolEvent(const QMouseEvent& event) const
{
    return {event.position(), event.modifiers(), itemAt(event.position())};
}

bool CanvasWidget::pressOverlay(const QMouseEvent& event)
{
    const OverlayControls::Press press = overlay().pressed(event.position(), sight());
    switch (press.kind) {
    case OverlayControls::Press::Kind::beside: return false;
    case OverlayControls::Press::Kind::taken: break;
    case OverlayControls::Press::Kind::dismissed:
        update();
        emit legendDismissed();
        break;
    case OverlayControls::Press::Kind::look: setCamera(press.camera); break;
    case OverlayControls::Press::Kind::card:
        emit backwardCardClicked(static_cast<int>(press.mark), event.globalPosition().toPoint());
        break;
    }
    return true;
}

bool CanvasWidget::pressNote(const QMouseEvent& event)
{
    const std::optional<PlacedNote> note = noteAt(event.position());
    if (note)
        m_pressedNote = HeldNote{scene().style().notes[note->note].node, event.position()};
    return note.has_value();
}

bool CanvasWidget::dragNote(const QMouseEvent& event)
{
    if (!m_pressedNote)
        return false;
    const QPointF way = event.position() - m_pressedNote->pressedAt;
    const std::vector<PictureNote>& notes = scene().style().notes;
    const auto note = std::ranges::find(notes, m_pressedNote->node, &PictureNote::node);
    if (note == notes.end() || (!heldNote() && way.manhattanLength() < QApplication::startDragDistance()))
        return true;
    PictureNote held = *note;
    held.offset += way / camera().zoom();
    holdNote(std::move(held));
    return true;
}

bool CanvasWidget::releaseNote()
{
    if (!std::exchange(m_pressedNote, {}))
        return false;
    const std::optional<PictureNote> moved = heldNote();
    holdNote({});
    if (moved)
        emit noteMoved(moved->node, moved->offset);
    return true;
}

bool CanvasWidget::pressItemControl(const QMouseEvent& event)
{
    const ItemControl control = controlAt(sight(), event.position());
    if (control.kind == ItemControl::Kind::chip) {
        const std::vector<NodeId> value{control.value};
        showNodes(value);
        emit selectionRequested(value, SelectionMode::replace);
    } else if (control.kind == ItemControl::Kind::edge) {
        emit edgeRequested(control.edge);
    } else if (control.kind == ItemControl::Kind::triangle) {
        activateItem(itemAt(event.position()), event.modifiers().testFlag(Qt::AltModifier));
    }
    return control.kind != ItemControl::Kind::none;
}

void CanvasWidget::activateItem(ItemId id, bool recursive)
{
    if (!id)
        return;
    const Item& item = scene().item(id);
    if (item.canOpen)
        emit itemActivated(id, QString::fromStdString(item.key), recursive);
    else if (item.node)
        emit nodeActivated(item.node);
}

void CanvasWidget::mousePressEvent(QMouseEvent* event)
{
    if (m_tools.isPressed())
        return;
    m_controlPressed = false;
    if (viewport().pressed(*event, false)) {
        updateCursor();
        return;
    }
    if (event->button() == Qt::LeftButton) {
        if (pressOverlay(*event) || pressNote(*event))
            return;
        m_controlPressed = pressItemControl(*event);
        if (m_controlPressed)
            return;
    }
    if (m_tools.press(event->button(), toolEvent(*event)))
        updateCursor();
}

void CanvasWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (const std::optional<Camera> looked = overlay().dragged(event->position(), sight())) {
        setCamera(*looked);
        return;
    }
    if (viewport().moved(*event)) {
        updateHover({}, false);
        return;
    }
    if (dragNote(*event))
        return;
    m_lastMove = toolEvent(*event);
    const bool isCovered = !m_tools.isPressed() && isCoveredAt(event->position());
    if (isCovered) // a press would not reach the item below
        m_lastMove.item = {};
    m_tools.move(m_lastMove);
    if (m_tools.scrollsAtEdge())
        m_edgeScroll.follow(event->position(), size());
    updateHover(event->position(), !isCovered);
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent* event)
{
    overlay().released();
    if (event->button() == Qt::LeftButton && releaseNote())
        return;
    if (viewport().released(*event)) {
        updateCursor();
        return;
    }
    if (!m_tools.isPressed() || (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) != Qt::NoButton)
        return;
    m_edgeScroll.stop();
    m_tools.release(toolEvent(*event));
    updateCursor();
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    const bool looks = tool() == ToolKind::select || tool() == ToolKind::pan;
    if (const std::optional<PlacedNote> note = noteAt(event->position()); note && event->button() == Qt::LeftButton) {
        emit noteActivated(scene().style().notes[note->note].node);
        return;
    }
    if (event->button() != Qt::LeftButton || !looks) {
        mousePressEvent(event);
        return;
    }
    const bool isSpent = m_controlPressed && controlAt(sight(), event->position()).kind != ItemControl::Kind::edge;
    if (isSpent || (!m_controlPressed && pressOverlay(*event)))
        return;
    if (const std::vector<std::uint32_t> edges = edgesUnder(event->position()); !edges.empty()) {
        goTo(otherEnd(sight(), edges.front(), event->position()));
        return;
    }
    const ToolEvent at = toolEvent(*event);
    if (isForItem(*this, at))
        activateItem(at.item, event->modifiers().testFlag(Qt::AltModifier));
}

void CanvasWidget::wheelEvent(QWheelEvent* event)
{
    viewport().wheel(*event);
}

void CanvasWidget::updateHover(QPointF view, bool inside)
{
    ItemId item = inside && !m_tools.isPressed() ? itemAt(view) : ItemId();
    if (item && scene().item(item).kind == ItemKind::frame)
        item = {};
    setPointedEdges(inside && !m_tools.isPressed() ? edgesPointedAt(view) : std::vector<std::uint32_t>());
    if (!pointedEdges().empty())
        item = {}; // the chip of an edge is not part of the item
    if (item == pointedItem())
        return;
    setPointedItem(item);
    emit hovered(item ? scene().item(item).nodes : std::vector<NodeId>());
}

void CanvasWidget::updateCursor()
{
    setCursor(m_tools.pressedCursor().value_or(viewport().cursor().value_or(m_tools.chosenCursor())));
}

void CanvasWidget::leaveEvent(QEvent*)
{
    updateHover({}, false);
    if (isFilling() && !m_tools.isPressed())
        m_tools.reach(hasFocus() ? currentItem() : ItemId());
}

void CanvasWidget::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (const std::optional<PlacedNote> note = byKey ? std::nullopt : noteAt(event->pos())) {
        emit noteMenuRequested(scene().style().notes[note->note].node, event->globalPos());
        return;
    }
    const ItemId item = byKey ? currentItem() : itemAt(event->pos());
    const QPoint at = byKey && item ? mapToGlobal(viewRectOf(item).center().toPoint()) : event->globalPos();
    if (byKey && selectedEdge() >= 0) {
        emit edgeMenuRequested(static_cast<std::uint32_t>(selectedEdge()), at);
        return;
    }
    const std::vector<std::uint32_t> edges = byKey ? std::vector<std::uint32_t>() : edgesUnder(event->pos());
    if (!edges.empty() && (!item || scene().item(item).kind == ItemKind::frame)) {
        emit edgeMenuRequested(edges.front(), at);
        return;
    }
    if (item)
        setCurrentItem(item);
    emit contextMenuRequested(item, at);
}

// Keyboard -------------------------------------------------------------------------------------

void CanvasWidget::showAsCurrent(ItemId item)
{
    setCurrentItem(item);
    setCamera(camera().showing(scene().item(item).rect, size(), kWalkMargin));
}

void CanvasWidget::goTo(ItemId item)
{
    emit aboutToGo();
    setCamera(camera().centeredOn(scene().item(item).rect.center(), size()));
    setCurrentItem(item);
}

bool CanvasWidget::requestEdge(QPointF view)
{
    const std::vector<std::uint32_t> edges = edgesUnder(view);
    if (!edges.empty())
        emit edgeRequested(edges.front());
    return !edges.empty();
}

void CanvasWidget::stepEdge(bool forward)
{
    if (!currentItem())
        return;
    const std::vector<std::uint32_t> edges = edgesAt(*scenePicture(), currentItem());
    if (edges.empty())
        return;
    const auto at = std::ranges::find(edges, selectedEdge());
    const std::size_t count = edges.size();
    const auto before = static_cast<std::size_t>(at - edges.begin());
    const std::size_t next = at == edges.end() ? (forward ? 0 : count - 1) : (before + (forward ? 1 : count - 1)) % count;
    emit edgeRequested(edges[next]);
}

bool CanvasWidget::goAlongEdge()
{
    if (selectedEdge() < 0)
        return false;
    const ItemId end = otherEnd(scene(), static_cast<std::uint32_t>(selectedEdge()), currentItem());
    if (end)
        goTo(end);
    return end.isValid();
}

bool CanvasWidget::walkKey(const QKeyEvent& event)
{
    const std::optional<WalkDirection> direction = walkDirection(event, scene().sharedPicture()->picture->direction);
    if (!direction || event.modifiers().testFlag(Qt::AltModifier)) // Alt+arrow is back and forward, even if there is no history
        return false;
    const ItemId next = walk(*scene().sharedPicture(), currentItem(), *direction);
    if (!next)
        return true;
    showAsCurrent(next);
    m_tools.reach(next);
    if (const std::optional<SelectionMode> mode = walkSelection(event))
        emit selectionRequested(scene().item(next).nodes, *mode);
    return true;
}

bool CanvasWidget::commandKey(const QKeyEvent& event)
{
    if (viewport().keyPressed(event)) {
        updateCursor();
        return true;
    }
    const std::optional<KeyCommand> command = keyCommand(event);
    if (!command)
        return false;
    switch (*command) {
    case KeyCommand::activate:
        if (goAlongEdge())
            break;
        [[fallthrough]];
    case KeyCommand::activateAll: activateItem(currentItem(), *command == KeyCommand::activateAll); break;
    case KeyCommand::goUp: emit goUpRequested(); break;
    case KeyCommand::escape:
        m_edgeScroll.stop();
        if (std::exchange(m_pressedNote, {})) {
            holdNote({});
            break;
        }
        if (!m_tools.cancel())
            emit selectionRequested({}, SelectionMode::replace);
        updateCursor();
        break;
    case KeyCommand::nextRinged:
    case KeyCommand::previousRinged:
        if (const ItemId next = nextRinged(scene(), currentItem(), *command == KeyCommand::nextRinged))
            showAsCurrent(next);
        break;
    case KeyCommand::nextEdge:
    case KeyCommand::previousEdge: stepEdge(*command == KeyCommand::nextEdge); break;
    case KeyCommand::narrower: widen(false); break;
    case KeyCommand::wider: widen(true); break;
    case KeyCommand::nextScope:
    case KeyCommand::previousScope: emit fillScopeStepped(*command == KeyCommand::nextScope ? 1 : -1); break;
    }
    return true;
}

void CanvasWidget::keyPressEvent(QKeyEvent* event)
{
    if (!walkKey(*event) && !toolKey(*event) && !commandKey(*event))
        PictureView::keyPressEvent(event);
}

void CanvasWidget::keyReleaseEvent(QKeyEvent* event)
{
    if (viewport().keyReleased(*event)) // a short press of Space, not panning
        m_tools.use(currentItem());
    updateCursor();
    PictureView::keyReleaseEvent(event);
}

void CanvasWidget::focusOutEvent(QFocusEvent* event)
{
    PictureView::focusOutEvent(event);
    updateCursor();
}

} // namespace sunder

#include "moc_canvas_widget.cpp"
