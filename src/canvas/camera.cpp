#include "canvas/camera.h"

#include "canvas/paint_context.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

/// Returns the shift of one axis that moves [low, high] into [0, extent] with a margin; 0 if it is inside.
double shiftIntoView(double low, double high, double extent, double margin)
{
    const double room = extent - 2 * margin;
    if (high - low > room || low < margin)
        return low < margin || low > extent - margin || high - low <= room ? margin - low : 0;
    return high > extent - margin ? extent - margin - high : 0;
}

} // namespace

Camera::Camera(QPointF origin, double zoom) : m_origin(origin), m_zoom(std::clamp(zoom, kMinZoom, kMaxZoom)) {}

Rect Camera::toScene(const QRectF& view) const
{
    const QPointF corner = toScene(view.topLeft());
    return {static_cast<float>(corner.x()), static_cast<float>(corner.y()), static_cast<float>(view.width() / m_zoom),
            static_cast<float>(view.height() / m_zoom)};
}

Camera Camera::zoomedAt(QPointF view, double factor) const
{
    const double zoom = std::clamp(m_zoom * factor, kMinZoom, kMaxZoom);
    return {toScene(view) - view / zoom, zoom};
}

Camera Camera::fitting(const Rect& scene, QSizeF view, double margin, double maxZoom)
{
    const double across = (view.width() - 2 * margin) / std::max(1.0, static_cast<double>(scene.width));
    const double down = (view.height() - 2 * margin) / std::max(1.0, static_cast<double>(scene.height));
    const Camera scaled({}, std::min({across, down, maxZoom}));
    return scaled.centeredOn(scene.center(), view);
}

Camera Camera::showing(const Rect& scene, QSizeF view, double margin) const
{
    const QRectF at = toView(scene);
    return pannedBy({shiftIntoView(at.left(), at.right(), view.width(), margin),
                     shiftIntoView(at.top(), at.bottom(), view.height(), margin)});
}

Camera Camera::centeredOn(Point scene, QSizeF view) const
{
    return {QPointF(scene.x, scene.y) - QPointF(view.width(), view.height()) / (2 * m_zoom), m_zoom};
}

namespace {

struct Match {
    ItemId before;
    ItemId after;
};

NodeId middlemostNode(const Camera& camera, const CanvasScene& scene, QSizeF view)
{
    const Rect seen = camera.toScene(QRectF(QPointF(), view));
    NodeId nearest;
    float distance = 0;
    for (const ItemId id : scene.closedItemsIn(seen)) {
        const Point center = scene.item(id).rect.center();
        const float away = std::hypot(center.x - seen.center().x, center.y - seen.center().y);
        if (!scene.item(id).nodes.empty() && (!nearest || away < distance)) {
            nearest = scene.item(id).nodes.front();
            distance = away;
        }
    }
    return nearest;
}

/// Items without nodes sort last.
std::uint32_t firstNodeOf(const Item& item)
{
    return item.nodes.empty() ? std::numeric_limits<std::uint32_t>::max() : item.nodes.front().index();
}

/// Returns a rectangle with the width of all items, without chips and edges outside them.
Rect boxesAcross(const CanvasScene& scene)
{
    float left = scene.bounds().width;
    float right = 0;
    for (const Item& item : scene.picture().items) {
        left = std::min(left, item.rect.x);
        right = std::max(right, item.rect.right());
    }
    return {left, 0, std::max(1.F, right - left), scene.bounds().height};
}

/// Returns the bounds of the picture below kReadableZoom, where chips at the right are drawn as dots.
Rect boundsWithDots(const CanvasScene& scene)
{
    const Rect all = scene.bounds();
    if (scene.picture().direction != FlowDirection::down)
        return all;
    float right = 0; // of all but chips
    float dots = 0;
    float chips = 0;
    for (const Item& item : scene.picture().items) {
        right = std::max(right, item.rect.right());
        for (const Chip& chip : item.chips) {
            dots = std::max(dots, chip.rect.x + kChipDot);
            chips = std::max(chips, chip.rect.right());
        }
    }
    for (const PictureEdge& edge : scene.picture().edges)
        for (const Point& point : edge.path)
            right = std::max(right, point.x);
    const float unused = std::max(0.F, std::max(right, chips) - std::max(right, dots));
    return {all.x, all.y, all.width - unused, all.height};
}

/// Returns the x of the main path among the first items of a picture. Inputs are side by side above it, so ops take precedence.
float mainPathIn(const CanvasScene& scene, const std::vector<ItemId>& first)
{
    float ops = 0;
    float inputs = 0;
    int count = 0;
    for (const ItemId id : first) {
        const bool isOp = scene.item(id).opCount > 0;
        (isOp ? ops : inputs) += scene.item(id).rect.center().x;
        count += isOp ? 1 : 0;
    }
    if (count > 0)
        return ops / static_cast<float>(count);
    return first.empty() ? scene.bounds().width / 2 : inputs / static_cast<float>(first.size());
}

/// Matches the open and the closed box of a module, or else the items that show the node.
Match matchOf(const CanvasScene& before, const CanvasScene& after, NodeId anchor)
{
    const ItemId old = before.itemOf(anchor);
    const ItemId fresh = after.itemOf(anchor);
    if (!old || !fresh)
        return {};
    if (const ItemId opened = after.itemWithKey(before.item(old).key))
        return {old, opened};
    if (const ItemId wasOpen = before.itemWithKey(after.item(fresh).key))
        return {wasOpen, fresh};
    return {old, fresh};
}

/// Moves the camera to show an opened frame: all of it, or its start if it is too large.
Camera showingFrame(const Camera& camera, const Rect& frame, QSizeF view)
{
    const Camera shown = camera.showing(frame, view, kFitMargin);
    const QRectF at = shown.toView(frame);
    return shown.pannedBy({at.width() > view.width() - 2 * kFitMargin ? kFitMargin - at.left() : 0,
                           at.height() > view.height() - 2 * kFitMargin ? kFitMargin - at.top() : 0});
}

/// Returns whether all boxes are readable in the view, and only labels of chips make the picture too wide for it.
bool opensReadable(const CanvasScene& scene, QSizeF view)
{
    return scene.picture().columnStarts.empty() && wholeCamera(scene, view, 1).zoom() < kReadableZoom
        && boxesAcross(scene).width * kReadableZoom + kFitMargin <= view.width()
        && scene.bounds().height * kReadableZoom + 2 * kFitMargin <= view.height();
}

} // namespace

Camera wholeCamera(const CanvasScene& scene, QSizeF view, double maxZoom)
{
    const Camera whole = Camera::fitting(scene.bounds(), view, kFitMargin, maxZoom);
    if (whole.zoom() >= kReadableZoom)
        return whole;
    constexpr double kWithDots = kReadableZoom * 0.999;
    return Camera::fitting(boundsWithDots(scene), view, kFitMargin, std::min(maxZoom, kWithDots));
}

bool opensWhole(const CanvasScene& scene, QSizeF view)
{
    if (opensReadable(scene, view))
        return false;
    const bool isWide = !scene.picture().columnStarts.empty() || boxesAcross(scene).width * kTitlesZoom > view.width();
    const double least = isWide ? kColumnsZoom : kTitlesZoom;
    return wholeCamera(scene, view, 1).zoom() >= least;
}

Camera openingCamera(const CanvasScene& scene, QSizeF view, double covered)
{
    view.rwidth() -= covered;
    const Rect all = scene.bounds();
    if (scene.isEmpty() || opensWhole(scene, view))
        return wholeCamera(scene, view, 1);
    if (opensReadable(scene, view))
        return Camera({}, kReadableZoom).centeredOn(boxesAcross(scene).center(), view);
    if (!scene.picture().columnStarts.empty()) // the start of the first column
        return {QPointF(-kFitMargin, -kFitMargin) / kReadableZoom, kReadableZoom};
    const auto fromTop = [&view](float x, double zoom) {
        return Camera(QPointF(x - view.width() / (2 * zoom), -kFitMargin / zoom), zoom);
    };
    const double across = (view.width() - 2 * kFitMargin) / std::max(1.F, all.width);
    if (all.width * kTitlesZoom <= view.width())
        return fromTop(all.width / 2, std::clamp(across, kTitlesZoom, 1.0));
    const Rect boxes = boxesAcross(scene); // chips and edges outside the boxes matter less
    if (boxes.width * kTitlesZoom <= view.width())
        return fromTop(boxes.center().x, std::min<double>(kReadableZoom, view.width() / boxes.width));
    if (across >= kColumnsZoom)
        return fromTop(all.width / 2, across);
    const float height = static_cast<float>(view.height() / kReadableZoom);
    const std::vector<ItemId> seen = scene.closedItemsIn({0, 0, all.width, height * 0.6F});
    const Camera opening = fromTop(mainPathIn(scene, seen), kReadableZoom);
    const auto input = std::ranges::min_element(seen, {}, [&scene](ItemId id) { return firstNodeOf(scene.item(id)); });
    return input == seen.end() ? opening : opening.showing(scene.item(*input).rect, view, kFitMargin);
}

Camera keepingPlace(const Camera& camera, const CanvasScene& before, const CanvasScene& after, NodeId anchor, QSizeF view)
{
    if (!before.itemOf(anchor))
        anchor = middlemostNode(camera, before, view);
    const Match match = matchOf(before, after, anchor);
    if (!match.before || !match.after)
        return camera;
    const Rect& old = before.item(match.before).rect;
    const Rect& fresh = after.item(match.after).rect;
    const QPointF moved(fresh.center().x - old.center().x, fresh.y - old.y);
    const Camera kept(camera.origin() + moved, camera.zoom());
    const bool isOpened = after.item(match.after).kind == ItemKind::frame && before.item(match.before).kind != ItemKind::frame;
    return isOpened ? showingFrame(kept, fresh, view) : kept;
}

Camera showingNodes(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view)
{
    constexpr double kShowMargin = 40;
    const std::optional<Rect> bounds = scene.boundsOf(nodes);
    if (!bounds)
        return camera;
    if (QRectF(QPointF(), view).contains(camera.toView(*bounds)))
        return camera; // already visible: a fitted view stays fitted
    const Camera moved = camera.showing(*bounds, view, kShowMargin);
    if (QRectF(QPointF(), view).contains(moved.toView(*bounds)))
        return moved;
    const Rect seen = camera.toScene(QRectF(QPointF(), view));
    const bool isOneSeen = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
        const ItemId item = scene.itemOf(node);
        return item && seen.contains(scene.tables().rectOf(item).center());
    });
    return isOneSeen ? camera : centeredOnFirst(scene, camera, nodes, view);
}

Camera centeredOnFirst(const CanvasScene& scene, const Camera& camera, std::span<const NodeId> nodes, QSizeF view)
{
    for (const NodeId node : nodes)
        if (const ItemId item = scene.itemOf(node))
            return camera.centeredOn(scene.item(item).rect.center(), view);
    return camera;
}

} // namespace sunder
