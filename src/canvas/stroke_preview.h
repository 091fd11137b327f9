#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/canvas_types.h"

#include <QColor>

namespace sunder {

/// Shows a stroke in the style of its scene before the owner of the canvas responds.
class StrokePreview final {
public:
    /// Sets the index into the style's tags; -1: paint strokes have no preview.
    void setTag(int tag) { m_tag = tag; }
    [[nodiscard]] int tag() const { return m_tag; }
    /// Returns the color of a stroke; invalid if there is no such tag, and for erasing.
    [[nodiscard]] QColor color(StrokeKind kind, const PictureStyle& style) const;

    void start(StrokeKind kind);
    void finish() { m_isUnderWay = false; }
    [[nodiscard]] bool isUnderWay() const { return m_isUnderWay; }
    /// Sets or removes the tag of nodes; nodes that take no tag stay unchanged. Returns the items whose look changed.
    std::vector<ItemId> take(CanvasScene& scene, std::span<const NodeId> nodes) const;

private:
    int m_tag = -1;
    StrokeKind m_kind = StrokeKind::paint;
    bool m_isUnderWay = false;
};

} // namespace sunder
