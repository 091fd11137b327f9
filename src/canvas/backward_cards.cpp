#include "canvas/backward_cards.h"

#include "canvas/label_painter.h"
#include "layout/picture/picture_index.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMostCards = 200;
constexpr double kLeastZoom = 0.55;
constexpr double kPad = 8;
constexpr double kMarkSide = 13;

double cardScale(const PaintContext& context)
{
    return std::max(std::clamp(context.zoom(), 0.85, 1.0), context.overlayScale);
}

QSizeF cardSize(const BackwardMark& mark)
{
    const PictureFonts& fonts = pictureFonts();
    const double text = std::max(LabelPainter::width(mark.title, fonts.code, 1),
                                 LabelPainter::width(mark.detail, fonts.detail, 1));
    return {text + 2 * kPad, mark.detail.isEmpty() ? 20.0 : 33.0};
}

/// A point of the route in the view, `t` from 0 at its producer to 1.
QPointF along(const PaintContext& context, const BezierPath& route, float t)
{
    const std::size_t pieces = (route.size() - 1) / 3;
    const float at = t * static_cast<float>(pieces);
    const std::size_t piece = std::min(static_cast<std::size_t>(at), pieces - 1);
    return context.camera.toView(pointAt(route, piece, at - static_cast<float>(piece)));
}

/// From the middle outwards along the route, until a place is free.
bool placeCard(const PaintContext& context, const PictureLooks::BackwardRoute& route, QSizeF size, bool small,
               std::vector<BackwardCard>& cards)
{
    for (const float t : {0.5F, 0.35F, 0.65F, 0.2F, 0.8F}) {
        const QPointF offset(-size.width() * (small ? 0.5 : 0.25), -size.height() / 2);
        const QRectF rect(along(context, route.path, t) + offset, size);
        const bool taken = std::any_of(cards.begin(), cards.end(), [&rect](const BackwardCard& card) {
            return card.rect.adjusted(-3, -3, 3, 3).intersects(rect);
        });
        if (taken || !context.view.intersects(rect))
            continue;
        cards.push_back({route.mark, rect, small});
        return true;
    }
    return false;
}

/// A hexagon with a stroke in it: a stop sign that is told by shape.
void paintSmallMark(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    const double x = rect.width() / 4;
    const QPolygonF shape({QPointF(rect.left() + x, rect.top()), QPointF(rect.right() - x, rect.top()),
                           QPointF(rect.right(), rect.center().y()), QPointF(rect.right() - x, rect.bottom()),
                           QPointF(rect.left() + x, rect.bottom()), QPointF(rect.left(), rect.center().y())});
    painter.setPen(QPen(theme.canvas, 1));
    painter.setBrush(theme.error);
    painter.drawPolygon(shape);
    painter.setPen(QPen(theme.canvas, rect.width() * 0.14));
    painter.drawLine(rect.center() - QPointF(rect.width() * 0.22, 0), rect.center() + QPointF(rect.width() * 0.22, 0));
}

void paintCard(QPainter& painter, const BackwardMark& mark, const QRectF& rect, const Theme& theme, double scale, bool hovered)
{
    const PictureFonts& fonts = pictureFonts();
    const double radius = 4 * scale;
    const QColor ground = mixed(theme.panel, theme.error, 0.04);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, theme.dark ? 70 : 24));
    painter.drawRoundedRect(rect.translated(0, 2 * scale), radius, radius);
    painter.setPen(QPen(theme.error, hovered ? 2 : 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(rect, radius, radius);
    const double room = rect.width() - (2 * kPad - 1) * scale;
    LabelPainter labels(painter);
    labels.paint(mark.title, fonts.code, scale, rect.topLeft() + QPointF(kPad, 13.5) * scale, room,
                 readable(theme.error, ground));
    labels.paint(mark.detail, fonts.detail, scale, rect.topLeft() + QPointF(kPad, 26.5) * scale, room,
                 readable(theme.dim, ground));
}

} // namespace

std::vector<BackwardCard> placeBackwardCards(const PaintContext& context)
{
    std::vector<BackwardCard> cards;
    const double scale = cardScale(context);
    for (const PictureLooks::BackwardRoute& route : context.looks.backward()) {
        if (cards.size() == kMostCards)
            break;
        const QSizeF size = cardSize(context.style.backward[route.mark]) * scale;
        const bool room = context.vector || context.zoom() >= kLeastZoom;
        if (!room || !placeCard(context, route, size, false, cards))
            placeCard(context, route, QSizeF(kMarkSide, kMarkSide) * scale, true, cards);
    }
    return cards;
}

void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards, int hovered)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (cards[i].small)
            paintSmallMark(painter, cards[i].rect, context.theme());
        else
            paintCard(painter, context.style.backward[cards[i].mark], cards[i].rect, context.theme(), cardScale(context),
                      static_cast<int>(i) == hovered);
    }
}

} // namespace sunder
