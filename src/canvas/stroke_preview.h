#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/canvas_types.h"

#include <QColor>

namespace sunder {

/// What a stroke paints, shown before the owner of the canvas has answered: in the style of its scene.
class StrokePreview final {
public:
    /// Index into the style's tags; -1: strokes that paint do not show.
    void setTag(int tag) { m_tag = tag; }
    [[nodiscard]] int tag() const { return m_tag; }
    /// What a stroke paints with; invalid when there is no such tag, and for erasing.
    [[nodiscard]] QColor color(StrokeKind kind, const PictureStyle& style) const;

    void start(StrokeKind kind);
    void finish() { m_isUnderWay = false; }
    [[nodiscard]] bool isUnderWay() const { return m_isUnderWay; }
    /// Gives nodes the tag, or takes theirs; nodes that take no tag stay. Returns the items that look different now.
    std::vector<ItemId> take(CanvasScene& scene, std::span<const NodeId> nodes) const;

private:
    int m_tag = -1;
    StrokeKind m_kind = StrokeKind::paint;
    bool m_isUnderWay = false;
};

} // namespace sunder
