#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/paint_context.h"

#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// A short animation between two pictures of one graph: items glide to their new places, the contents of a module come out of its
/// box or go back into it. Only the painting is animated; scene and camera are those of the new picture from the start.
class PictureTransition final {
public:
    static constexpr int kDurationMs = 180;
    /// Maximum number of visible items; more are not animated, because a frame would take too long.
    static constexpr std::size_t kMaxMoving = 400;

    /// A picture with its camera.
    struct Shown {
        const CanvasScene& scene;
        const Camera& camera;
    };
    /// Prepares the animation of the items visible in a view of this size. Empty if nothing moves or too much does. O(items).
    void prepare(const Shown& before, const Shown& after, QSizeF view);
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_moving.empty(); }

    /// Paints the state at `progress`, 0 (before) … 1 (after), in the whole view. `context` is of the new picture.
    void paint(QPainter& painter, const PaintContext& context, const PictureIndex& index, double progress) const;

    /// Returns the rectangle of an item at that moment in view coordinates; nothing if it is not visible.
    [[nodiscard]] std::optional<QRectF> placeOf(ItemId item, double progress) const;

private:
    struct Moving {
        ItemId item; ///< of the new picture
        QRectF from; ///< view coordinates
        QRectF to;
        bool isNew = false; ///< comes out of the box at `from`
        bool isFrame = false;
    };
    struct Leaving {
        QRectF from;
        QRectF to; ///< box that it goes into
    };
    void addMoving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen);
    void addLeaving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen);
    [[nodiscard]] bool moves() const;
    static QRectF between(const Moving& moving, double progress);

    std::vector<Moving> m_moving; ///< frames before their contents
    std::vector<Leaving> m_leaving;
};

} // namespace sunder
