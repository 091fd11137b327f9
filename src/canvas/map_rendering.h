#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"

#include <QImage>
#include <QPainter>

namespace sunder {

/// Makes the image of a minimap a slice at a time, so that a picture of a million items never holds the window up: pale
/// frames, marks of the tags' colours, errors in red. Where marks share a pixel, the one that says most is seen.
class MapRendering final {
public:
    MapRendering(const CanvasScene& scene, QSizeF size, double pixelRatio);

    [[nodiscard]] bool isCurrent(const CanvasScene& scene) const { return m_revision == scene.revision(); }
    /// Whether it is about the scene as it is now, in that size.
    [[nodiscard]] bool isOf(const CanvasScene& scene, QSizeF size, double pixelRatio) const;
    /// The next slice, a few milliseconds; true when the image is whole. The scene is as it was at the start.
    bool advance(const CanvasScene& scene);
    [[nodiscard]] const QImage& image() const { return m_image; }

    /// The scene in a map of that size: scaled to fit, centred.
    static Camera cameraFor(const CanvasScene& scene, QSizeF size);

private:
    /// What is seen of the marks that share a pixel, from the least to the most.
    enum class Mark : std::uint8_t { none, plain, tag, ring, error };

    [[nodiscard]] bool takePixel(const CanvasScene& scene, const Camera& camera, ItemId item);
    void finish(const CanvasScene& scene, const Camera& camera);
    void paintPixels(const CanvasScene& scene);

    QSizeF m_size;
    double m_pixelRatio;
    std::uint64_t m_revision;
    QImage m_image;
    std::uint32_t m_next = 0; ///< the item to go on with
    struct Pixel {
        Mark mark = Mark::none;
        std::int32_t tag = PictureStyle::kUntagged;
    };
    std::vector<Pixel> m_pixels; ///< row by row, as in the image
};

} // namespace sunder
