// The ToolHost part of CanvasWidget: strokes and fills.
#include "canvas/canvas_widget.h"
#include "canvas/gestures.h"
#include "canvas/tools/stroke_tool.h"

#include <QAccessible>
#include <QKeyEvent>

#include <algorithm>

namespace sunder {
namespace {

constexpr double kMinRadius = 1;
constexpr double kMaxRadius = 200;
constexpr double kRadiusStep = 1.4;
constexpr double kBeyondPicture = 40; ///< pixels that a stroke can scroll beyond the picture

/// Returns the path of a module item; empty for an op and for a run of modules.
QString moduleOf(const Item& item)
{
    return item.node || item.copies > 1 || item.isGroup ? QString() : QString::fromStdString(item.key);
}

} // namespace

void CanvasWidget::setTool(ToolKind tool)
{
    if (!m_tools.choose(tool))
        return;
    overlay().setLegendTool(tool);
    overlay().placeLegend(sight()); // a longer legend could cover items
    updateCursor();
    update();
    emit toolChanged(tool);
}

void CanvasWidget::setBrushRadius(double radius)
{
    const double held = std::clamp(radius, kMinRadius, kMaxRadius);
    if (held == m_brushRadius)
        return;
    m_brushRadius = held;
    update();
}

void CanvasWidget::widen(bool isWider)
{
    if (isFilling())
        emit fillWidthStepped(isWider ? 1 : -1);
    else
        setBrushRadius(isWider ? m_brushRadius * kRadiusStep : m_brushRadius / kRadiusStep);
}

void CanvasWidget::pictureWillChange()
{
    m_edgeScroll.stop();
    m_tools.abandonPress();
    m_fillItem = {};
}

// Strokes --------------------------------------------------------------------------------------

void CanvasWidget::startStroke(StrokeKind kind)
{
    m_stroke.start(kind);
    emit strokeStarted(kind);
}

void CanvasWidget::extendStroke(const std::vector<NodeId>& nodes)
{
    for (const ItemId item : m_stroke.take(editScene(), nodes))
        viewport().invalidate(viewRectOf(item).adjusted(-8, -8, 8, 8));
    emit strokeExtended(nodes);
}

void CanvasWidget::finishStroke()
{
    m_stroke.finish();
    update();
    emit strokeFinished();
}

void CanvasWidget::cancelStroke()
{
    m_stroke.finish();
    update();
    emit strokeCancelled();
}

bool CanvasWidget::scrollBy(QPointF delta)
{
    const QRectF picture = camera().toView(scene().bounds());
    const auto held = [](double wanted, double low, double high, double room) {
        if (wanted > 0) // the picture moves down, at most to its start
            return std::clamp(kBeyondPicture - low, 0.0, wanted);
        return -std::clamp(high - (room - kBeyondPicture), 0.0, -wanted);
    };
    const QPointF way(held(delta.x(), picture.left(), picture.right(), width()),
                      held(delta.y(), picture.top(), picture.bottom(), height()));
    if (way.isNull() || !m_tools.isPressed())
        return false;
    setCamera(camera().pannedBy(way));
    m_lastMove.item = itemAt(m_lastMove.view);
    m_tools.move(m_lastMove);
    return true;
}

std::vector<std::uint32_t> CanvasWidget::edgesPointedAt(QPointF view) const
{
    switch (tool()) {
    case ToolKind::select:
    case ToolKind::pan: return edgesUnder(view);
    case ToolKind::brush:
    case ToolKind::eraser: return wiresUnderTip(sight(), view, m_brushRadius);
    default: return {};
    }
}

// Fills ----------------------------------------------------------------------------------------

void CanvasWidget::pointFill(ItemId item, QPointF at)
{
    m_fill.moveTo(at);
    update();
    if (item == m_fillItem)
        return;
    m_fillItem = item;
    emit fillPointed(item ? scene().item(item).nodes : std::vector<NodeId>(), item ? moduleOf(scene().item(item)) : QString());
}

void CanvasWidget::takeFill(ItemId item)
{
    m_fillItem = item;
    emit fillTaken(scene().item(item).nodes, moduleOf(scene().item(item)));
}

bool CanvasWidget::cancelFill()
{
    const bool was = m_fillItem.isValid() || !m_fill.preview().empty();
    m_fillItem = {};
    if (was)
        emit fillCancelled();
    return was;
}

void CanvasWidget::setFillPreview(FillPreview preview)
{
    const bool changes = preview.words() != m_fill.preview().words();
    m_fill.set(std::move(preview));
    update();
    if (!changes)
        return;
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

bool CanvasWidget::event(QEvent* event)
{
    // the card of the preview is there and says more
    const bool isShownByPreview = event->type() == QEvent::ToolTip && !m_fill.preview().empty();
    return isShownByPreview || PictureView::event(event);
}

bool CanvasWidget::toolKey(const QKeyEvent& event)
{
    const std::optional<KeyCommand> command = keyCommand(event);
    const bool actsOnItems = isFilling() || tool() == ToolKind::eyedropper;
    return command == KeyCommand::activate && actsOnItems && m_tools.use(currentItem());
}

} // namespace sunder
