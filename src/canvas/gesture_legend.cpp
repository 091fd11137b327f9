#include "canvas/gesture_legend.h"

#include "canvas/label_painter.h"
#include "canvas/palette.h"
#include "canvas/picture_style.h"

#include <QPainter>

#include <algorithm>

namespace sunder {
namespace {

constexpr double kLegendRow = 17;
constexpr double kLegendPad = 12;
constexpr double kLegendKeys = 118;
constexpr double kLegendMargin = 12;
constexpr double kLegendWidth = 280;
constexpr double kLegendCross = 20;
constexpr double kRoomForBar = 48; ///< for the bar of fill and wand, at the top

} // namespace

std::vector<QRectF> GestureLegend::places() const
{
    const QSizeF size(kLegendWidth, height());
    if (m_view.width() < size.width() + 220 || m_view.height() < size.height() + 60)
        return {};
    const double high = kLegendMargin + (m_tool == ToolKind::fill || m_tool == ToolKind::wand ? kRoomForBar : 0);
    const double low = m_view.height() - size.height() - kLegendMargin;
    const double right = m_view.width() - size.width() - kLegendMargin;
    return {{QPointF(kLegendMargin, low), size},
            {QPointF(kLegendMargin, high), size},
            {QPointF(right, high), size},
            {QPointF(kLegendMargin, (high + low) / 2), size},
            {QPointF(right / 2, high), size}};
}

void GestureLegend::place(const CanvasScene& scene, const Camera& camera, QSizeF view)
{
    m_view = view;
    const std::vector<QRectF> all = places();
    // Items take precedence; F1 shows the same.
    const auto free = std::ranges::find_if(all,
                                           [&](const QRectF& rect) { return scene.closedItemsIn(camera.toScene(rect)).empty(); });
    m_corner.reset();
    if (free != all.end())
        m_corner = static_cast<std::size_t>(free - all.begin());
    moveToCorner();
}

void GestureLegend::stay(const CanvasScene& scene, const Camera& camera, QSizeF view)
{
    m_view = view;
    moveToCorner();
    if (!m_rect.isEmpty() && !scene.closedItemsIn(camera.toScene(m_rect)).empty())
        m_rect = {};
}

void GestureLegend::moveToCorner()
{
    const std::vector<QRectF> all = places();
    m_rect = m_corner && *m_corner < all.size() ? all[*m_corner] : QRectF();
}

void GestureLegend::setTool(ToolKind tool)
{
    m_tool = tool;
    m_rows = legendOf(tool);
    moveToCorner();
}

double GestureLegend::roomForWords()
{
    return kLegendWidth - kLegendKeys - 2 * kLegendPad;
}

double GestureLegend::height() const
{
    return 2 * kLegendPad + kLegendRow * static_cast<double>(m_rows.size()) - 3;
}

QRectF GestureLegend::cross() const
{
    return {m_rect.right() - kLegendCross - 4, m_rect.top() + 4, kLegendCross, kLegendCross};
}

GestureLegend::Press GestureLegend::pressed(QPointF at)
{
    if (!m_isVisible || !m_rect.contains(at))
        return Press::beside;
    if (!cross().contains(at))
        return Press::inside;
    m_isVisible = false;
    return Press::dismissed;
}

void GestureLegend::paint(QPainter& painter, const Theme& theme) const
{
    if (!m_isVisible || m_rect.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 60 : 18));
    painter.drawRoundedRect(m_rect.translated(0, 2), 6, 6);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(m_rect, 6, 6);
    LabelPainter labels(painter);
    const PictureFonts& fonts = pictureFonts();
    double y = m_rect.top() + kLegendPad + 10;
    for (const Gesture& gesture : m_rows) {
        labels.paint(QString::fromUtf8(gesture.keys), fonts.code, 1.1, {m_rect.left() + kLegendPad, y}, kLegendKeys, theme.text);
        labels.paint(QString::fromUtf8(gesture.does), fonts.detail, 1.1, {m_rect.left() + kLegendPad + kLegendKeys, y},
                     roomForWords(), theme.dim);
        y += kLegendRow;
    }
    const QPointF middle = cross().center();
    painter.setPen(QPen(theme.dim, 1.4));
    painter.drawLine(middle + QPointF(-3.5, -3.5), middle + QPointF(3.5, 3.5));
    painter.drawLine(middle + QPointF(-3.5, 3.5), middle + QPointF(3.5, -3.5));
}

} // namespace sunder
