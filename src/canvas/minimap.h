#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

#include <QImage>
#include <QPainter>
#include <optional>

namespace sunder {

/// Renders the image of a minimap in slices, so that a picture with a million items never blocks the window: pale frames, marks
/// in tag colors, errors in red. If several marks share a pixel, the one of the highest rank is drawn.
class MapRendering final {
public:
    MapRendering(const CanvasScene& scene, QSizeF size, double pixelRatio);

    [[nodiscard]] bool isCurrent(const CanvasScene& scene) const { return m_revision == scene.revision(); }
    /// Returns whether the image is of the current state of the scene, in this size.
    [[nodiscard]] bool isOf(const CanvasScene& scene, QSizeF size, double pixelRatio) const;
    /// Renders the next slice, which takes a few milliseconds; returns true when the image is complete. The scene must not change
    /// between slices.
    bool advance(const CanvasScene& scene);
    [[nodiscard]] const QImage& image() const { return m_image; }

    /// Returns the camera that shows the whole scene, centered, in a map of this size.
    static Camera cameraFor(const CanvasScene& scene, QSizeF size);

private:
    /// Rank of the marks that share a pixel, ascending.
    enum class Mark : std::uint8_t { none, plain, tag, ring, error };

    [[nodiscard]] bool takePixel(const CanvasScene& scene, const Camera& camera, ItemId item);
    void finish(const CanvasScene& scene, const Camera& camera);
    void paintPixels(const CanvasScene& scene);

    QSizeF m_size;
    double m_pixelRatio;
    std::uint64_t m_revision;
    QImage m_image;
    std::uint32_t m_next = 0; ///< next item
    struct Pixel {
        Mark mark = Mark::none;
        QRgb color = 0; ///< of Mark::tag
    };
    std::vector<Pixel> m_pixels; ///< row by row, as in the image
};

/// The whole picture in the lower right corner of the view: marks in tag colors, errors in red, and a frame around the visible
/// part. It is translucent over readable items and chips.
class Minimap final {
public:
    /// Returns its rectangle in a view of this size; empty if most of the picture is visible anyway or the view is too small.
    [[nodiscard]] QRectF rect(const CanvasScene& scene, const Camera& camera, QSizeF view) const;
    /// Paints the minimap; a large picture may be incomplete, see isLate(). While `hasty`, the outdated image is kept.
    void paint(QPainter& painter, const CanvasScene& scene, const Camera& camera, QSizeF view, double pixelRatio, bool hasty);
    /// Returns whether the painted image is outdated, so that advance() must be called.
    [[nodiscard]] bool isLate() const { return m_rendering.has_value(); }
    /// Continues rendering for some milliseconds; returns true if the image for paint() changed.
    bool advance(const CanvasScene& scene);
    /// Returns the camera centered on the scene point at a point of the minimap.
    [[nodiscard]] Camera cameraAt(QPointF at, const CanvasScene& scene, const Camera& camera, QSizeF view) const;

private:
    [[nodiscard]] static bool covers(const QRectF& at, const CanvasScene& scene, const Camera& camera);
    void renew(const CanvasScene& scene, QSizeF size, double pixelRatio);

    std::optional<MapRendering> m_shown;
    std::optional<MapRendering> m_rendering; ///< rendering in progress
};

} // namespace sunder
