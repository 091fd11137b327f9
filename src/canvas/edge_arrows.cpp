#include "canvas/edge_arrows.h"

#include "canvas/label_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <tuple>

namespace sunder {
namespace {

struct Outside {
    std::uint32_t count = 0;
    ItemId nearest;
    float distance = 0; ///< in the scene
};

constexpr double kHeight = 22;
constexpr double kGap = 6;

QRectF placeOf(std::size_t side, double width, const QRectF& view, const QRectF& covered)
{
    const std::array<QPointF, 4> centers = {QPointF(view.center().x(), view.top() + kHeight / 2 + kGap),
                                            QPointF(view.right() - width / 2 - kGap, view.center().y()),
                                            QPointF(view.center().x(), view.bottom() - kHeight / 2 - kGap),
                                            QPointF(view.left() + width / 2 + kGap, view.center().y())};
    QRectF place(centers[side] - QPointF(width / 2, kHeight / 2), QSizeF(width, kHeight));
    if (place.intersects(covered))
        place.moveRight(covered.left() - kGap);
    return place;
}

} // namespace

std::vector<EdgeArrow> edgeArrows(const CanvasScene& scene, const Camera& camera, const QRectF& view, const QRectF& covered)
{
    std::array<Outside, 4> sides;
    const Rect seen = camera.toScene(view);
    for (const ItemId item : scene.ringed()) {
        const Rect& at = scene.tables().rectOf(item);
        const std::array<float, 4> beyond = {seen.y - at.bottom(), at.x - seen.right(), at.y - seen.bottom(),
                                             seen.x - at.right()};
        const auto side = static_cast<std::size_t>(std::max_element(beyond.begin(), beyond.end()) - beyond.begin());
        if (beyond[side] <= 0)
            continue;
        Outside& outside = sides[side];
        if (outside.count++ == 0 || beyond[side] < outside.distance) {
            outside.nearest = item;
            outside.distance = beyond[side];
        }
    }
    std::vector<EdgeArrow> arrows;
    for (std::size_t side = 0; side < sides.size(); ++side)
        if (sides[side].count > 0) {
            const double width = 30 + LabelPainter::width(QString::number(sides[side].count), pictureFonts().code, 1.1);
            arrows.push_back({static_cast<EdgeArrow::Side>(side), placeOf(side, width, view, covered), sides[side].count,
                              sides[side].nearest});
        }
    return arrows;
}

void paintEdgeArrows(QPainter& painter, const Theme& theme, const std::vector<EdgeArrow>& arrows)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    LabelPainter labels(painter);
    for (const EdgeArrow& arrow : arrows) {
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(arrow.rect, kHeight / 2, kHeight / 2);
        const QPointF center(arrow.rect.left() + 13, arrow.rect.center().y());
        painter.save();
        painter.translate(center);
        painter.rotate(90.0 * static_cast<int>(arrow.side));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.selection);
        painter.drawPolygon(QPolygonF({QPointF(0, -5), QPointF(5, 4), QPointF(-5, 4)}));
        painter.restore();
        labels.paint(QString::number(arrow.count), pictureFonts().code, 1.1,
                     {arrow.rect.left() + 22, arrow.rect.center().y() + 4}, arrow.rect.width(),
                     readable(theme.selection, theme.panel));
    }
}

QString textOf(const EdgeArrow& arrow)
{
    const auto say = [](const char* text) { return QCoreApplication::translate("EdgeArrow", text); };
    QString text;
    switch (arrow.side) {
    case EdgeArrow::Side::top: text = say("%1 marked above"); break;
    case EdgeArrow::Side::right: text = say("%1 marked on the right"); break;
    case EdgeArrow::Side::bottom: text = say("%1 marked below"); break;
    case EdgeArrow::Side::left: text = say("%1 marked on the left"); break;
    }
    return text.arg(arrow.count);
}

ItemId nextRinged(const CanvasScene& scene, ItemId from, bool forward)
{
    const auto placeOfItem = [&](ItemId item) {
        const Rect& rect = scene.item(item).rect;
        return std::tuple(rect.y, rect.x, item.index());
    };
    ItemId first; // first of all in that direction
    ItemId next;
    for (const ItemId item : scene.ringed()) {
        const auto isBefore = [&](ItemId a, ItemId b) {
            return forward ? placeOfItem(a) < placeOfItem(b) : placeOfItem(b) < placeOfItem(a);
        };
        if (!first || isBefore(item, first))
            first = item;
        if (from && isBefore(from, item) && (!next || isBefore(item, next)))
            next = item;
    }
    return next ? next : first;
}

} // namespace sunder
