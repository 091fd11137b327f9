#pragma once

#include "analysis/cost/cost_figures.h"
#include "canvas/palette.h"

#include <QString>

class QPainter;
class QRectF;
class QFont;

namespace sunder {

/// Colors by a figure per node instead of by tags.
struct CostColors {
    CostFiguresPtr figures;
    CostScale scale;

    explicit CostColors(CostFiguresPtr of) : figures(std::move(of)), scale(scaleOf(*figures)) {}
};

/// Returns the color of a place on a scale, 0 … 1: from close to the ground of the theme to far from it. Its luminance is
/// monotonic, so that it can be read without color vision.
QColor costColor(const Theme& theme, double at);

/// Returns the fill of an item with this figure: a color of the scale; that of an op for 0; neutral grays for ops that are not
/// counted and for ops without a value.
QColor costFill(const CostColors& costs, const CostFigure& figure, const Theme& theme);

/// Returns whether the figure is missing, so that the border is dashed.
inline bool isCostMissing(const CostFigure& figure)
{
    return !figure.isKnown() && !figure.isEmpty();
}

/// Returns the short text of a figure in an item: "1.2 GFLOP", "not counted".
QString costLabel(const CostColors& costs, const CostFigure& figure);

/// Returns the texts at the ends of the scale.
QString costLowText(const CostColors& costs);
QString costHighText(const CostColors& costs);

/// Returns the explanation of the scale, for a tooltip or a line below a picture.
QString costScaleText(const CostColors& costs);

/// Paints the legend in one line: name, scale with its end values, and the looks of 0, "not counted", and "no value" as far as
/// they occur, as far as they fit. Returns its width.
double paintCostLegend(QPainter& painter, const QRectF& at, const CostColors& costs, const Theme& theme, const QFont& font);

} // namespace sunder
