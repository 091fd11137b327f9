#include "canvas/gesture_legend.h"

#include "canvas/label_painter.h"
#include "canvas/palette.h"
#include "canvas/picture_fonts.h"

#include <QPainter>

namespace sunder {
namespace {

constexpr std::size_t kMostCovered = 2; ///< items
constexpr double kLegendRow = 17;
constexpr double kLegendPad = 12;
constexpr double kLegendKeys = 118;

/// Corners of the view, the preferred one first.
std::vector<QRectF> legendPlaces(QSizeF view, double height)
{
    const QSizeF size(268, height);
    if (view.width() < size.width() + 220 || view.height() < size.height() + 60)
        return {};
    constexpr double kMargin = 12;
    const double low = view.height() - size.height() - kMargin;
    const double right = view.width() - size.width() - kMargin;
    return {{QPointF(kMargin, low), size}, {QPointF(kMargin, kMargin), size}, {QPointF(right, kMargin), size}};
}

} // namespace

void GestureLegend::place(const CanvasScene& scene, const Camera& camera, QSizeF view)
{
    m_rect = {};
    std::size_t fewest = 0;
    for (const QRectF& place : legendPlaces(view, height())) {
        const std::size_t covered = scene.closedItemsIn(camera.toScene(place)).size();
        if (m_rect.isEmpty() || covered < fewest) {
            m_rect = place;
            fewest = covered;
        }
    }
    if (fewest > kMostCovered) // the picture matters more; F1 says the same
        m_rect = {};
}

void GestureLegend::setTool(ToolKind tool)
{
    const double before = height();
    m_rows = legendOf(tool);
    const bool isAtTheBottom = m_rect.top() > kLegendPad;
    if (!m_rect.isEmpty())
        m_rect.adjust(0, isAtTheBottom ? before - height() : 0, 0, isAtTheBottom ? 0 : height() - before);
}

double GestureLegend::height() const
{
    return 2 * kLegendPad + kLegendRow * static_cast<double>(m_rows.size()) - 3;
}

QRectF GestureLegend::cross() const
{
    return {m_rect.right() - 24, m_rect.top() + 4, 20, 20};
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
                     m_rect.width() - kLegendKeys - 2 * kLegendPad, theme.dim);
        y += kLegendRow;
    }
    const QPointF middle = cross().center();
    painter.setPen(QPen(theme.dim, 1.4));
    painter.drawLine(middle + QPointF(-3.5, -3.5), middle + QPointF(3.5, 3.5));
    painter.drawLine(middle + QPointF(-3.5, 3.5), middle + QPointF(3.5, -3.5));
}

} // namespace sunder
