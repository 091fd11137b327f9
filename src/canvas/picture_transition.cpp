#include "canvas/picture_transition.h"

#include "canvas/edge_painter.h"
#include "canvas/item_painter.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sunder {
namespace {

/// Edges appear when their ends are nearly in place.
constexpr double kEdgesFrom = 0.5;
constexpr double kReachPixels = 14;

QRectF lerp(const QRectF& from, const QRectF& to, double progress)
{
    const auto at = [progress](double a, double b) { return a + (b - a) * progress; };
    return {at(from.left(), to.left()), at(from.top(), to.top()), at(from.width(), to.width()), at(from.height(), to.height())};
}

/// Finds the old item of each new item.
class Origins final {
public:
    explicit Origins(const CanvasScene& before) : m_before(before)
    {
        for (std::size_t i = 0; i < before.picture().items.size(); ++i)
            if (const std::string& key = before.picture().items[i].key; !key.empty())
                m_byKey.emplace(key, ItemId(static_cast<std::uint32_t>(i)));
    }

    struct Origin {
        ItemId item;
        bool isSame = false; ///< otherwise `item` is the box that contained it
    };
    [[nodiscard]] Origin of(const Item& item) const
    {
        if (!item.key.empty())
            if (const auto at = m_byKey.find(item.key); at != m_byKey.end())
                return {at->second, true};
        if (item.nodes.empty())
            return {};
        const ItemId held = m_before.itemOf(item.nodes.front());
        return {held, held && item.node && m_before.item(held).node == item.node};
    }

private:
    const CanvasScene& m_before;
    std::unordered_map<std::string_view, ItemId> m_byKey;
};

std::vector<std::uint32_t> itemsInSight(const PictureTransition::Shown& shown, QSizeF view)
{
    const QRectF seen = QRectF(QPointF(), view).adjusted(-kReachPixels, -kReachPixels, kReachPixels, kReachPixels);
    return shown.scene.index().itemsIn(shown.camera.toScene(seen));
}

/// Maps painting at `to` to the current rectangle `now`.
QTransform placed(const QRectF& to, const QRectF& now, bool keepsSize)
{
    QTransform transform;
    transform.translate(now.left(), now.top());
    if (!keepsSize && to.width() > 0 && to.height() > 0)
        transform.scale(now.width() / to.width(), now.height() / to.height());
    transform.translate(-to.left(), -to.top());
    return transform;
}

} // namespace

void PictureTransition::clear()
{
    m_moving.clear();
    m_leaving.clear();
}

void PictureTransition::prepare(const Shown& before, const Shown& after, QSizeF view)
{
    clear();
    if (before.scene.isEmpty() || after.scene.isEmpty())
        return;
    const std::vector<std::uint32_t> seenBefore = itemsInSight(before, view);
    const std::vector<std::uint32_t> seenAfter = itemsInSight(after, view);
    if (seenBefore.size() > kMaxMoving || seenAfter.size() > kMaxMoving)
        return;
    addMoving(before, after, seenAfter);
    addLeaving(before, after, seenBefore);
    if (!moves())
        clear();
}

void PictureTransition::addMoving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen)
{
    const Origins origins(before.scene);
    for (const std::uint32_t i : seen) {
        const Item& item = after.scene.picture().items[i];
        const QRectF to = after.camera.toView(item.rect);
        const Origins::Origin origin = origins.of(item);
        Moving moving{ItemId(i), to, to, !origin.isSame, item.kind == ItemKind::frame};
        if (origin.item)
            moving.from = before.camera.toView(before.scene.item(origin.item).rect);
        m_moving.push_back(moving);
    }
}

void PictureTransition::addLeaving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen)
{
    for (const std::uint32_t i : seen) {
        const Item& item = before.scene.picture().items[i];
        if (item.kind == ItemKind::frame || item.nodes.empty())
            continue;
        const ItemId holder = after.scene.itemOf(item.nodes.front());
        if (!holder || after.scene.item(holder).nodes.size() <= item.nodes.size())
            continue;
        m_leaving.push_back({before.camera.toView(item.rect), after.camera.toView(after.scene.item(holder).rect)});
    }
}

bool PictureTransition::moves() const
{
    constexpr double kNoticed = 1.5; // pixels
    const auto movesAtAll = [](const Moving& one) {
        return one.isNew || (one.from.topLeft() - one.to.topLeft()).manhattanLength() > kNoticed
            || std::abs(one.from.width() - one.to.width()) > kNoticed;
    };
    return !m_leaving.empty() || std::ranges::any_of(m_moving, movesAtAll);
}

/// Items that come out of a box keep their own size.
QRectF PictureTransition::between(const Moving& moving, double progress)
{
    if (!moving.isNew)
        return lerp(moving.from, moving.to, progress);
    QRectF inside(QPointF(), moving.to.size());
    inside.moveCenter(moving.from.center());
    return lerp(inside, moving.to, progress);
}

std::optional<QRectF> PictureTransition::placeOf(ItemId item, double progress) const
{
    const auto at = std::ranges::find(m_moving, item, &Moving::item);
    return at == m_moving.end() ? std::nullopt : std::optional(between(*at, progress));
}

void PictureTransition::paint(QPainter& painter, const PaintContext& context, const PictureIndex& index, double progress) const
{
    ItemPainter items(painter, context);
    const auto paintAt = [&](const Moving& moving, bool keepsSize, auto what) {
        painter.save();
        painter.setTransform(placed(moving.to, between(moving, progress), keepsSize), true);
        painter.setOpacity(moving.isNew ? progress : 1);
        what(moving.item);
        painter.restore();
    };
    painter.fillRect(context.view, context.theme().canvas);
    for (const Moving& moving : m_moving)
        if (moving.isFrame)
            paintAt(moving, false, [&](ItemId item) { items.paintFrame(item); });
    if (progress > kEdgesFrom) {
        painter.save();
        painter.setOpacity((progress - kEdgesFrom) / (1 - kEdgesFrom));
        EdgePainter edges(painter, context);
        edges.paint(index.edgesIn(context.camera.toScene(context.view)));
        edges.paintBackward();
        painter.restore();
    }
    painter.save();
    painter.setOpacity(1 - progress);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(context.theme().line, 1));
    for (const Leaving& leaving : m_leaving)
        painter.drawRect(lerp(leaving.from, leaving.to, progress));
    painter.restore();
    for (const Moving& moving : m_moving)
        if (moving.isFrame)
            paintAt(moving, true, [&](ItemId item) { items.paintFrameTitle(item); });
        else
            paintAt(moving, false, [&](ItemId item) { items.paintClosed(item); });
}

} // namespace sunder
