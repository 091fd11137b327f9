#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/paint_context.h"

#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// What changed between two pictures of one graph, as a short movement: items glide to their new places, what a module held comes
/// out of its box, and goes back into it. Only painting moves; scene and camera are those of the new picture from the beginning.
class PictureTransition final {
public:
    static constexpr int kDurationMs = 180;
    /// More than these in sight are there at once: a frame of the movement would take too long.
    static constexpr std::size_t kMostMoving = 400;

    /// A picture with the camera that shows it.
    struct Shown {
        const CanvasScene& scene;
        const Camera& camera;
    };
    /// Of all that `after` shows in a view of that size. Empty where nothing moves, or too much does. O(items).
    void prepare(const Shown& before, const Shown& after, QSizeF view);
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_moving.empty(); }

    /// As it is at `progress`, 0 (before) … 1 (after). `context` is of the picture after, and its whole view is painted.
    void paint(QPainter& painter, const PaintContext& context, const PictureIndex& index, double progress) const;

    /// Where an item is at that moment, view coordinates; nothing where it is not in sight.
    [[nodiscard]] std::optional<QRectF> placeOf(ItemId item, double progress) const;

private:
    struct Moving {
        ItemId item; ///< of the picture after
        QRectF from; ///< view coordinates
        QRectF to;
        bool isNew = false; ///< comes out of the box at `from`
        bool isFrame = false;
    };
    struct Leaving {
        QRectF from;
        QRectF to; ///< the box that it goes into
    };
    void addMoving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen);
    void addLeaving(const Shown& before, const Shown& after, std::span<const std::uint32_t> seen);
    [[nodiscard]] bool moves() const;
    static QRectF between(const Moving& moving, double progress);

    std::vector<Moving> m_moving; ///< frames before what they hold
    std::vector<Leaving> m_leaving;
};

} // namespace sunder
