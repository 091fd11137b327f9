#include "canvas/camera_policy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
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

/// Of an item without nodes: the last of all.
std::uint32_t firstNodeOf(const Item& item)
{
    return item.nodes.empty() ? std::numeric_limits<std::uint32_t>::max() : item.nodes.front().index();
}

/// Boxes of the same module, one open and one closed, or else whatever shows the node.
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

/// What was just opened is seen as far as it fits: from its beginning on where it is too large.
Camera showingFrame(const Camera& camera, const Rect& frame, QSizeF view)
{
    const Camera shown = camera.showing(frame, view, kFitMargin);
    const QRectF at = shown.toView(frame);
    return shown.pannedBy({at.width() > view.width() - 2 * kFitMargin ? kFitMargin - at.left() : 0,
                           at.height() > view.height() - 2 * kFitMargin ? kFitMargin - at.top() : 0});
}

} // namespace

bool opensWhole(const CanvasScene& scene, QSizeF view)
{
    const bool isWide = !scene.picture().columnStarts.empty() || scene.bounds().width * kTitlesZoom > view.width();
    const double least = isWide ? kColumnsZoom : kTitlesZoom;
    return Camera::fitting(scene.bounds(), view, kFitMargin, 1).zoom() >= least;
}

Camera openingCamera(const CanvasScene& scene, QSizeF view, double covered)
{
    view.rwidth() -= covered;
    const Rect all = scene.bounds();
    const Camera whole = Camera::fitting(all, view, kFitMargin, 1);
    if (scene.isEmpty() || opensWhole(scene, view))
        return whole;
    if (!scene.picture().columnStarts.empty()) // the beginning of the first column
        return {QPointF(-kFitMargin, -kFitMargin) / kReadableZoom, kReadableZoom};
    const double across = (view.width() - 2 * kFitMargin) / std::max(1.F, all.width);
    const bool areTitlesRead = all.width * kTitlesZoom <= view.width();
    const bool isNearlyWhole = areTitlesRead || across >= kColumnsZoom;
    const double zoom = areTitlesRead ? std::clamp(across, kTitlesZoom, 1.0) : isNearlyWhole ? across : kReadableZoom;
    // Too wide: look at what begins the picture, not at the middle of its whole width.
    const float height = static_cast<float>(view.height() / zoom);
    // Inputs stand beside each other above it: where ops are in sight, these say where the main path is.
    double sum = 0;
    double weight = 0;
    double inputs = 0;
    const std::vector<ItemId> seen = scene.closedItemsIn({0, 0, all.width, height * 0.6F});
    for (const ItemId id : seen)
        if (scene.item(id).opCount > 0) {
            sum += scene.item(id).rect.center().x;
            ++weight;
        } else {
            inputs += scene.item(id).rect.center().x;
        }
    if (weight == 0 && !seen.empty()) {
        sum = inputs;
        weight = static_cast<double>(seen.size());
    }
    const double x = isNearlyWhole || weight == 0 ? all.width / 2 : sum / weight;
    const Camera opening(QPointF(x - view.width() / (2 * zoom), -kFitMargin / zoom), zoom);
    const auto input = std::ranges::min_element(seen, {}, [&scene](ItemId id) { return firstNodeOf(scene.item(id)); });
    return isNearlyWhole || input == seen.end() ? opening : opening.showing(scene.item(*input).rect, view, kFitMargin);
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
        return camera; // in sight as it is: a view that was fitted stays so
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
