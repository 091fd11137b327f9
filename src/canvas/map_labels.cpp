#include "canvas/map_labels.h"

#include "canvas/item_painter.h"
#include "canvas/label_painter.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr double kPixels = 10;      ///< font size
constexpr double kPlateHeight = 15;      ///< height of a name with its background
constexpr double kPlatePad = 4;          ///< horizontal padding
constexpr double kMinWidth = 14;  ///< minimum width of a frame with a name
constexpr std::size_t kMaxFrames = 4000;

double scaleOfNames()
{
    return kPixels / logicalPixelSize(pictureFonts().frame);
}

/// Returns the whole title, or as many trailing parts as fit: "layers.15.mlp", "15.mlp", "mlp". Empty if not even the last one
/// fits.
QString nameThatFits(const QString& title, double room)
{
    QString name = title;
    while (LabelPainter::width(name, pictureFonts().frame, scaleOfNames()) > room) {
        const qsizetype dot = name.indexOf(QLatin1Char('.'));
        if (dot < 0 || name.contains(QStringLiteral("…")))
            return {};
        name.remove(0, dot + 1);
    }
    return name;
}

/// The cells of the view that have a name.
class TakenCells {
public:
    explicit TakenCells(const QRectF& view)
        : m_view(view), m_columns(static_cast<int>(view.width() / kCell) + 1),
          m_rows(static_cast<int>(view.height() / kCell) + 1),
          m_cells(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows), false)
    {
    }

    /// Takes the cells of a rectangle; returns false if one is taken already.
    bool take(const QRectF& at)
    {
        const int left = cell(at.left() - m_view.left(), m_columns);
        const int right = cell(at.right() - m_view.left(), m_columns);
        const int top = cell(at.top() - m_view.top(), m_rows);
        const int bottom = cell(at.bottom() - m_view.top(), m_rows);
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x)
                if (m_cells[index(x, y)])
                    return false;
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x)
                m_cells[index(x, y)] = true;
        return true;
    }

private:
    static constexpr double kCell = 4;

    static int cell(double at, int count) { return std::clamp(static_cast<int>(at / kCell), 0, count - 1); }
    [[nodiscard]] std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(x);
    }

    QRectF m_view;
    int m_columns;
    int m_rows;
    std::vector<bool> m_cells;
};

} // namespace

std::vector<MapLabel> placeMapLabels(const PaintContext& context, std::span<const ItemId> frames)
{
    std::vector<MapLabel> labels;
    if (context.vector || hasReadableFrameTitles(context.zoom()))
        return labels;
    TakenCells taken(context.view);
    for (const ItemId frame : frames.first(std::min(frames.size(), kMaxFrames))) {
        const Item& item = context.picture.items[frame.index()];
        const QRectF whole = context.camera.toView(item.rect);
        if (whole.width() * whole.height() < kMinWidth * kPlateHeight)
            break; // the remaining frames are not larger
        const QRectF seen = whole.intersected(context.view);
        if (seen.width() < kMinWidth || seen.height() < kPlateHeight)
            continue;
        const QString name = nameThatFits(toQString(item.title), seen.width() - 2 * kPlatePad - 2);
        if (name.isEmpty())
            continue;
        const double width = LabelPainter::width(name, pictureFonts().frame, scaleOfNames()) + 2 * kPlatePad;
        const QRectF at(QPointF(seen.left() + 1, seen.top() + 1), QSizeF(width, kPlateHeight - 1));
        if (taken.take(at))
            labels.push_back({frame, name, at});
    }
    return labels;
}

void paintMapLabels(QPainter& painter, const PaintContext& context, std::span<const MapLabel> labels)
{
    LabelPainter names(painter);
    const Theme& theme = context.theme();
    QColor plate = theme.canvas;
    plate.setAlphaF(0.86F);
    for (const MapLabel& label : labels) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(label.at, 3, 3);
        names.paint(label.text, pictureFonts().frame, scaleOfNames(), {label.at.left() + kPlatePad, label.at.bottom() - 4},
                    label.at.width(), theme.text);
    }
}

} // namespace sunder
