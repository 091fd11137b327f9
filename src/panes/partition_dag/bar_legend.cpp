#include "panes/partition_dag/bar_legend.h"

#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_painter.h"
#include "text/shown_text.h"

#include <QPainter>

#include <array>

namespace sunder {
namespace {

constexpr int kLegendHeight = 20;
constexpr double kLegendSwatch = 14;

std::array<std::pair<BarPiece, QString>, 6> entries()
{
    return {{{BarPiece::parameters, QObject::tr("parameters")},
             {BarPiece::duplicated, QObject::tr("duplicated")},
             {BarPiece::values, QObject::tr("activations")},
             {BarPiece::boundary, QObject::tr("inputs")},
             {BarPiece::free, QObject::tr("free")},
             {BarPiece::overflow, QObject::tr("over capacity")}}};
}

} // namespace

BarLegend::BarLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setToolTip(folded(
        tr("Memory of a part: its parameters, with those that other parts duplicate apart; its activations, at the peak of a "
           "run or all of them with PyTorch's count; and its inputs. The line marks the capacity of its device.")));
    setAccessibleName(tr("Legend of the memory bars"));
}

QSize BarLegend::sizeHint() const
{
    return {420, kLegendHeight};
}

void BarLegend::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    LabelPainter labels(painter);
    const QFont& font = pictureFonts().detail;
    double x = 12;
    for (const auto& [piece, text] : entries()) {
        const double width = LabelPainter::width(text, font, 1);
        if (x + kLegendSwatch + 4 + width > this->width())
            break;
        const QRectF swatch(x, (kLegendHeight - 8) / 2.0, kLegendSwatch, 8);
        painter.setPen(Qt::NoPen);
        if (piece == BarPiece::duplicated)
            painter.fillRect(swatch, mixed(theme.node, theme.dim, 0.2));
        painter.fillRect(swatch, brushOf(piece, theme.dim, theme));
        labels.paint(text, font, 1, {x + kLegendSwatch + 4, kLegendHeight / 2.0 + 3.5}, width + 2, theme.dim);
        x += kLegendSwatch + 4 + width + 14;
    }
}

} // namespace sunder
