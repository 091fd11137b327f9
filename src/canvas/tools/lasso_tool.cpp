#include "canvas/tools/lasso_tool.h"

#include "canvas/label_painter.h"

#include <QLineF>

namespace sunder {
namespace {

constexpr double kLassoStep = 3;        ///< pixels
constexpr qsizetype kMaxLassoPoints = 512; ///< above this, every second point is dropped: each item is tested against all points

} // namespace

void LassoTool::addPoint(const ToolHost& host, QPointF view)
{
    const QPointF at = host.camera().toScene(view);
    if (!m_line.isEmpty() && QLineF(host.camera().toView(m_line.back()), view).length() < m_step)
        return;
    m_line << at;
    if (m_line.size() < kMaxLassoPoints)
        return;
    QPolygonF half;
    for (qsizetype i = 0; i < m_line.size(); i += 2)
        half << m_line[i];
    half << m_line.back();
    m_line = half;
    m_step *= 2;
}

std::vector<ItemId> LassoTool::enclosed(const ToolHost& host) const
{
    const QRectF box = m_line.boundingRect();
    std::vector<ItemId> items = m_seen.in(host.scene(),
                                          {static_cast<float>(box.x()), static_cast<float>(box.y()),
                                           static_cast<float>(box.width()), static_cast<float>(box.height())});
    std::erase_if(items, [&](ItemId id) {
        const Point middle = host.scene().item(id).rect.center();
        return !m_line.containsPoint({middle.x, middle.y}, Qt::OddEvenFill);
    });
    return items;
}

void LassoTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_active = true;
    m_kind = event.modifiers.testFlag(Qt::AltModifier) ? StrokeKind::erase : StrokeKind::paint;
    m_step = kLassoStep;
    m_line.clear();
    addPoint(host, event.view);
    m_seen.begin(host);
}

void LassoTool::moved(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    addPoint(host, event.view);
    m_seen.note(host);
    host.requestOverlay();
}

void LassoTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    moved(host, event);
    m_active = false;
    const bool isClick = m_line.size() == 1;
    strokeOnce(host, m_kind, isClick ? nodesUnder(host, event) : host.scene().nodesOf(enclosed(host)));
    m_line.clear();
    host.requestOverlay();
}

bool LassoTool::used(ToolHost& host, ItemId item)
{
    strokeOnce(host, StrokeKind::paint, nodesByKey(host, item));
    return true;
}

bool LassoTool::cancel(ToolHost& host)
{
    const bool was = m_active;
    m_active = false;
    m_line.clear();
    host.requestOverlay();
    return was;
}

void LassoTool::paint(const ToolHost& host, QPainter& painter) const
{
    if (!m_active)
        return;
    const Theme& theme = *host.scene().style().theme;
    const QColor own = host.strokeColor(m_kind);
    const QColor color = own.isValid() ? own : theme.selection;
    QPolygonF line;
    for (const QPointF at : m_line)
        line << host.camera().toView(at);
    QColor ground = color;
    ground.setAlphaF(0.1F);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawPolygon(line, Qt::OddEvenFill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.5, m_kind == StrokeKind::erase ? Qt::DashLine : Qt::SolidLine));
    painter.drawPolyline(line);
    const std::vector<ItemId> items = enclosed(host);
    painter.setPen(QPen(color, 2));
    for (const ItemId id : items)
        if (const QRectF at = host.camera().toView(host.scene().item(id).rect); at.intersects(QRectF({}, host.viewSize())))
            painter.drawRect(at);
    paintBeside(painter, theme, line.back(), opsAmong(host, host.scene().nodesOf(items)));
}

} // namespace sunder
