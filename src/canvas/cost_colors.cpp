#include "canvas/cost_colors.h"

#include "text/shown_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

constexpr std::array kLightStops = {QRgb(0xfbf0cd), QRgb(0xf3c677), QRgb(0xd98a5b),
                                    QRgb(0xa34f77), QRgb(0x5f2a77), QRgb(0x2a1350)};
constexpr std::array kDarkStops = {QRgb(0x362a55), QRgb(0x64407f), QRgb(0xa3567f),
                                   QRgb(0xd97d63), QRgb(0xf2b66c), QRgb(0xfcf0c4)};

QString costWord(const char* text)
{
    return QCoreApplication::translate("CostColors", text);
}

/// Draws the pieces of a legend from left to right, as many as fit.
class LegendLine {
public:
    LegendLine(QPainter& painter, const QRectF& at, const Theme& theme, const QFont& font)
        : m_painter(painter), m_at(at), m_theme(theme), m_metrics(font), m_x(at.left())
    {
        m_painter.setFont(font);
    }
    void words(const QString& words, const QColor& color, double gap)
    {
        m_isFull = m_isFull || m_x + m_metrics.horizontalAdvance(words) > m_at.right() + 0.5;
        if (m_isFull)
            return;
        m_painter.setPen(color);
        m_painter.drawText(QPointF(m_x, m_at.center().y() + (m_metrics.ascent() - m_metrics.descent()) / 2), words);
        m_x += m_metrics.horizontalAdvance(words) + gap;
    }
    void scale()
    {
        const double width = m_metrics.height() * 8;
        m_isFull = m_isFull || m_x + width > m_at.right();
        if (m_isFull)
            return;
        const double height = std::round(m_metrics.height() * 0.7);
        const QRectF bar(m_x, std::round(m_at.center().y() - height / 2), width, height);
        constexpr int kSteps = 48; // SVG, PDF, and the screen show the same steps
        for (int i = 0; i < kSteps; ++i)
            m_painter.fillRect(QRectF(bar.left() + width * i / kSteps, bar.top(), width / kSteps + 0.6, height),
                               costColor(m_theme, static_cast<double>(i) / (kSteps - 1)));
        outline(bar, false);
        m_x += width + m_metrics.height() * 0.5;
    }
    void swatch(const QColor& fill, bool isDashed, const QString& means, double gap)
    {
        const double side = std::round(m_metrics.height() * 0.7);
        const double width = side * 1.5 + m_metrics.height() * 0.35;
        m_isFull = m_isFull || m_x + width + m_metrics.horizontalAdvance(means) > m_at.right();
        if (m_isFull)
            return;
        const QRectF box(m_x, std::round(m_at.center().y() - side / 2), side * 1.5, side);
        m_painter.fillRect(box, fill);
        outline(box, isDashed);
        m_x += width;
        words(means, m_theme.dim, gap);
    }
    [[nodiscard]] double end() const { return m_x; }

private:
    void outline(const QRectF& box, bool isDashed)
    {
        QPen pen(m_theme.edge, 1);
        if (isDashed)
            pen.setDashPattern({2, 2});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(box);
    }

    QPainter& m_painter;
    const QRectF& m_at;
    const Theme& m_theme;
    QFontMetricsF m_metrics;
    double m_x;
    bool m_isFull = false;
};

} // namespace

QColor costColor(const Theme& theme, double at)
{
    const auto& stops = theme.dark ? kDarkStops : kLightStops;
    const double place = std::clamp(at, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    return mixed(QColor(stops[below]), QColor(stops[below + 1]), place - static_cast<double>(below));
}

QColor costFill(const CostColors& costs, const CostFigure& figure, const Theme& theme)
{
    if (figure.isEmpty())
        return theme.node;
    if (!figure.isKnown())
        return figure.uncounted > 0 ? mixed(theme.node, theme.edge, 0.3) : theme.soft;
    if (figure.value == 0 && costs.scale.isLogarithmic)
        return theme.node;
    return costColor(theme, costs.scale.at(figure.value));
}

QString costLabel(const CostColors& costs, const CostFigure& figure)
{
    if (figure.isEmpty() || !figure.isKnown())
        return text(describe(*costs.figures, figure));
    return text(costText(costs.figures->unit, figure.value));
}

QString costLowText(const CostColors& costs)
{
    const QString low = text(costText(costs.figures->unit, costs.scale.low));
    return costs.scale.isCut ? QStringLiteral("≤ %1").arg(low) : low;
}

QString costHighText(const CostColors& costs)
{
    return text(costText(costs.figures->unit, costs.scale.high));
}

QString costScaleText(const CostColors& costs)
{
    const QString scale = costs.scale.isLogarithmic ? costWord("Logarithmic scale, from single ops up to the whole model.")
                                                    : costWord("Linear scale.");
    return costWord("%1: a module has the sum of its ops. %2").arg(text(costs.figures->name), scale);
}

double paintCostLegend(QPainter& painter, const QRectF& at, const CostColors& costs, const Theme& theme, const QFont& font)
{
    painter.save();
    LegendLine line(painter, at, theme, font);
    const double gap = QFontMetricsF(font).height();
    const CostFigure& all = costs.figures->total;
    line.words(text(costs.figures->name), theme.text, gap);
    line.words(costLowText(costs), theme.dim, gap * 0.5);
    line.scale();
    line.words(costs.scale.isLogarithmic ? costWord("%1, the whole model").arg(costHighText(costs)) : costHighText(costs),
               theme.dim, gap);
    if (costs.scale.isLogarithmic)
        line.swatch(theme.node, false, QStringLiteral("0"), gap);
    if (all.uncounted > 0)
        line.swatch(costFill(costs, {.uncounted = 1}, theme), true, costWord("not counted"), gap);
    if (all.unknown > 0)
        line.swatch(costFill(costs, {.unknown = 1}, theme), true, costWord("no value"), gap);
    line.words(costWord("modules: sum"), theme.dim, 0);
    painter.restore();
    return line.end() - at.left();
}

} // namespace sunder
