#include "canvas/backward_cards.h"

#include "canvas/label_painter.h"
#include "layout/picture/picture_index.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::size_t kMaxCards = 200;
constexpr double kMinZoom = 0.55;
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

/// Returns a point of the route in the view; `t` is 0 at the producer and 1 at the consumer.
QPointF along(const PaintContext& context, const BezierPath& route, float t)
{
    const std::size_t pieces = (route.size() - 1) / 3;
    const float at = t * static_cast<float>(pieces);
    const std::size_t piece = std::min(static_cast<std::size_t>(at), pieces - 1);
    return context.camera.toView(pointAt(route, piece, at - static_cast<float>(piece)));
}

/// Obstacles for cards: closed items, frame titles, and backward edges in the view, and cards placed so far.
class FreeRoom {
public:
    explicit FreeRoom(const PaintContext& context) : m_view(context.view)
    {
        constexpr double kTitle = 20;
        constexpr int kSteps = 40;
        for (const Item& item : context.picture.items) {
            QRectF at = context.camera.toView(item.rect);
            if (item.kind == ItemKind::frame)
                at.setHeight(std::min(at.height(), kTitle * context.zoom()));
            if (at.intersects(m_view))
                m_taken.push_back(at);
        }
        for (const PictureLooks::BackwardRoute& route : context.looks.backward()) {
            QPointF from = along(context, route.path, 0);
            for (int step = 1; step <= kSteps; ++step) {
                const QPointF to = along(context, route.path, static_cast<float>(step) / kSteps);
                const QRectF piece = QRectF(from, to).normalized().adjusted(-kClear, -kClear, kClear, kClear);
                if (piece.intersects(m_view))
                    m_taken.push_back(piece);
                from = to;
            }
        }
    }

    [[nodiscard]] bool isFree(const QRectF& rect) const
    {
        const QRectF wanted = rect.adjusted(-kClear, -kClear, kClear, kClear);
        return m_view.contains(rect)
            && std::ranges::none_of(m_taken, [&wanted](const QRectF& taken) { return taken.intersects(wanted); });
    }
    void take(const QRectF& rect) { m_taken.push_back(rect); }

private:
    static constexpr double kClear = 3;
    QRectF m_view;
    std::vector<QRectF> m_taken;
};

constexpr std::array<float, 5> kPlacesOnRoute = {0.5F, 0.35F, 0.65F, 0.2F, 0.8F};

/// Places a card at the nearest free position next to the route: around its middle first, then around other points, then further
/// away. Returns false if there is none.
bool placeBeside(const PaintContext& context, const PictureLooks::BackwardRoute& route, QSizeF size, FreeRoom& room,
                 std::vector<BackwardCard>& cards)
{
    for (const double away : {14.0, 30.0, 56.0, 96.0, 150.0}) {
        for (const float t : kPlacesOnRoute) {
            const QPointF anchor = along(context, route.path, t);
            if (!context.view.contains(anchor))
                continue;
            const QPointF middle(-size.width() / 2, -size.height() / 2);
            const double aside = size.width() / 2 + away;
            const double above = size.height() / 2 + away;
            for (const QPointF way : {QPointF(aside, 0), QPointF(-aside, 0), QPointF(aside, -above), QPointF(-aside, -above),
                                      QPointF(aside, above), QPointF(-aside, above), QPointF(0, -above), QPointF(0, above)}) {
                const QRectF rect(anchor + middle + way, size);
                if (!room.isFree(rect))
                    continue;
                room.take(rect);
                cards.push_back({route.mark, rect, anchor, false});
                return true;
            }
        }
    }
    return false;
}

/// Places a small mark on the route, at a point without another mark.
void placeMark(const PaintContext& context, const PictureLooks::BackwardRoute& route, double side,
               std::vector<BackwardCard>& cards)
{
    for (const float t : kPlacesOnRoute) {
        const QPointF anchor = along(context, route.path, t);
        const QRectF rect(anchor - QPointF(side / 2, side / 2), QSizeF(side, side));
        const bool taken = std::ranges::any_of(
            cards, [&rect](const BackwardCard& card) { return card.rect.adjusted(-3, -3, 3, 3).intersects(rect); });
        if (taken || !context.view.intersects(rect))
            continue;
        cards.push_back({route.mark, rect, anchor, true});
        return;
    }
}

/// Paints a hexagon with a bar: a stop sign, recognizable without color.
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

/// Paints a line from the card to the nearest point of its edge, with a dot there.
void paintLeader(QPainter& painter, const BackwardCard& card, const Theme& theme, double scale)
{
    const QPointF begin(std::clamp(card.anchor.x(), card.rect.left(), card.rect.right()),
                        std::clamp(card.anchor.y(), card.rect.top(), card.rect.bottom()));
    painter.setPen(QPen(theme.error, scale));
    painter.drawLine(begin, card.anchor);
    painter.setPen(QPen(theme.canvas, scale));
    painter.setBrush(theme.error);
    painter.drawEllipse(card.anchor, 3 * scale, 3 * scale);
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
    if (context.looks.backward().empty())
        return cards;
    const double scale = cardScale(context);
    FreeRoom room(context);
    for (const PictureLooks::BackwardRoute& route : context.looks.backward()) {
        if (cards.size() == kMaxCards)
            break;
        const QSizeF size = cardSize(context.style.backward[route.mark]) * scale;
        const bool isNear = context.vector || context.zoom() >= kMinZoom;
        if (!isNear || !placeBeside(context, route, size, room, cards))
            placeMark(context, route, kMarkSide * scale, cards);
    }
    return cards;
}

void paintBackwardCards(QPainter& painter, const PaintContext& context, const std::vector<BackwardCard>& cards, int hovered)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const BackwardCard& card : cards)
        if (!card.small)
            paintLeader(painter, card, context.theme(), cardScale(context));
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (cards[i].small)
            paintSmallMark(painter, cards[i].rect, context.theme());
        else
            paintCard(painter, context.style.backward[cards[i].mark], cards[i].rect, context.theme(), cardScale(context),
                      static_cast<int>(i) == hovered);
    }
}

} // namespace sunder
