#include "canvas/tools/select_tool.h"

namespace sunder {
namespace {

constexpr double kDragDistance = 4;

} // namespace

void SelectTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_state = event.modifiers.testFlag(Qt::ShiftModifier) ? State::rectangle : State::pressed;
    m_start = m_now = event.view;
    m_corner = host.camera().toScene(event.view);
    m_startCamera = host.camera();
}

void SelectTool::moved(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    if (m_state == State::pressed && (m_now - m_start).manhattanLength() >= kDragDistance)
        m_state = State::panning;
    if (m_state == State::panning)
        host.panFrom(m_startCamera, m_now - m_start);
    else if (m_state == State::rectangle)
        host.requestOverlay();
}

void SelectTool::released(ToolHost& host, const ToolEvent& event)
{
    const State was = m_state;
    m_state = State::idle;
    m_now = event.view;
    const QPointF start = was == State::rectangle ? host.camera().toView(m_corner) : m_start;
    const bool dragged = (m_now - start).manhattanLength() >= kDragDistance;
    if (was == State::rectangle && dragged) {
        const Rect area = host.camera().toScene(band(host));
        const bool adds = event.modifiers.testFlag(Qt::ControlModifier);
        host.requestSelection(host.scene().nodesOf(host.scene().closedItemsIn(area)),
                              adds ? SelectionMode::add : SelectionMode::replace);
    } else if (was == State::pressed || was == State::rectangle) {
        click(host, event);
    }
    host.requestOverlay();
}

QRectF SelectTool::band(const ToolHost& host) const
{
    return QRectF(host.camera().toView(m_corner), m_now).normalized();
}

void SelectTool::click(ToolHost& host, const ToolEvent& event)
{
    const std::vector<NodeId> nodes = nodesUnder(host, event);
    const bool adds = (event.modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
    if (!nodes.empty())
        host.makeCurrent(event.item);
    if (nodes.empty() && !adds && host.requestEdge(event.view))
        return;
    if (!nodes.empty() || !adds)
        host.requestSelection(nodes, adds ? SelectionMode::toggle : SelectionMode::replace);
}

bool SelectTool::cancel(ToolHost& host)
{
    if (m_state == State::idle)
        return false;
    m_state = State::idle;
    host.requestOverlay();
    return true;
}

void SelectTool::paint(const ToolHost& host, QPainter& painter) const
{
    if (m_state == State::rectangle)
        paintRubberBand(painter, band(host), host.scene().style().theme->selection);
}

} // namespace sunder
