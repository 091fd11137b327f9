#include "canvas/backward_cards.h"

#include "canvas/label_painter.h"
#include "canvas/picture_index.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMostCards = 40;
constexpr double kLeastZoom = 0.35;
constexpr double kPad = 8;

QSizeF cardSize(const BackwardMark& mark)
{
    const PictureFonts& fonts = pictureFonts();
    const double text = std::max(LabelPainter::width(mark.title, fonts.code, 1),
                                 LabelPainter::width(mark.detail, fonts.detail, 1));
    return {text + 2 * kPad, mark.detail.isEmpty() ? 20.0 : 33.0};
}

} // namespace

std::vector<BackwardCard> placeBackwardCards(const PaintContext& context)
{
    std::vector<BackwardCard> cards;
    if (!context.vector && context.zoom() < kLeastZoom)
        return cards;
    for (const PictureLooks::BackwardRoute& route : context.looks.backward()) {
        if (cards.size() == kMostCards)
            break;
        const QSizeF size = cardSize(context.style.backward[route.mark]);
        const std::size_t pieces = (route.path.size() - 1) / 3;
        // From the middle outwards along the route, until a place is free.
        for (const float t : {0.5F, 0.35F, 0.65F, 0.2F, 0.8F}) {
            const float at = t * static_cast<float>(pieces);
            const std::size_t piece = std::min(static_cast<std::size_t>(at), pieces - 1);
            const QPointF middle = context.camera.toView(pointAt(route.path, piece, at - static_cast<float>(piece)));
            const QRectF rect(middle + QPointF(-size.width() * 0.25, -size.height() / 2), size);
            const bool taken = std::any_of(cards.begin(), cards.end(), [&rect](const BackwardCard& card) {
                return card.rect.adjusted(-3, -3, 3, 3).intersects(rect);
            });
            if (taken || !context.view.intersects(rect))
                continue;
            cards.push_back({route.mark, rect});
            break;
        }
    }
    return cards;
}

void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards,
                        int hovered)
{
    const Theme& theme = context.theme();
    const PictureFonts& fonts = pictureFonts();
    LabelPainter labels(painter);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const BackwardMark& mark = context.style.backward[cards[i].mark];
        const QRectF& rect = cards[i].rect;
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(0, 0, 0, theme.dark ? 70 : 24));
        painter.drawRoundedRect(rect.translated(0, 2), 4, 4);
        painter.setPen(QPen(theme.error, static_cast<int>(i) == hovered ? 2 : 1));
        painter.setBrush(mixed(theme.panel, theme.error, 0.04));
        painter.drawRoundedRect(rect, 4, 4);
        const double room = rect.width() - 2 * kPad + 1;
        const QColor red = readable(theme.error, mixed(theme.panel, theme.error, 0.04));
        labels.paint(mark.title, fonts.code, 1, rect.topLeft() + QPointF(kPad, 13.5), room, red);
        labels.paint(mark.detail, fonts.detail, 1, rect.topLeft() + QPointF(kPad, 26.5), room, theme.dim);
    }
}

} // namespace sunder
