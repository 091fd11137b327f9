#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"
#include "canvas/canvas_sight.h"
#include "canvas/edge_painter.h"
#include "canvas/gesture_legend.h"
#include "canvas/minimap.h"

namespace sunder {

/// The overlays of a picture that handle presses: cards of backward edges, arrows at the edges of the view, the minimap, and the
/// legend of gestures.
class OverlayControls final {
public:
    /// The effect of a press.
    struct Press {
        enum class Kind : std::uint8_t {
            beside, ///< on no overlay
            taken, ///< handled
            dismissed, ///< dismissed the legend
            look, ///< move the view to `camera`
            card, ///< on the card of the backward edge `mark`
        } kind = Kind::beside;
        Camera camera;
        std::uint32_t mark = 0;
    };

    void setLegendVisible(bool visible) { m_legend.setVisible(visible); }
    void setLegendTool(ToolKind tool) { m_legend.setTool(tool); }
    /// Keeps the place of the legend after the view was resized.
    void keepLegend(const CanvasSight& sight) { m_legend.stay(sight.scene, sight.camera, sight.view); }
    /// Moves the legend to a place where it covers no item; not called while navigating.
    void placeLegend(const CanvasSight& sight) { m_legend.place(sight.scene, sight.camera, sight.view); }
    [[nodiscard]] QRectF legendRect() const { return m_legend.rect(); }
    void setMinimapVisible(bool visible) { m_isMinimapVisible = visible; }
    /// Empty if it is hidden.
    [[nodiscard]] QRectF minimapRect(const CanvasSight& sight) const;

    /// Places cards and arrows, and paints all overlays. `hasty`: the map may be slightly outdated.
    void paint(QPainter& painter, const CanvasSight& sight, const PaintContext& context, bool hasty);
    /// The map of a large picture is rendered in steps: call advanceMap() while isMapLate(). It returns true if the map changed.
    [[nodiscard]] bool isMapLate() const { return m_minimap.isLate(); }
    bool advanceMap(const CanvasScene& scene) { return m_minimap.advance(scene); }

    Press pressed(QPointF at, const CanvasSight& sight);
    /// Returns whether a press at this point would be handled by an overlay.
    [[nodiscard]] bool isAt(QPointF at, const CanvasSight& sight) const;
    /// Returns the camera for a drag that started in the minimap.
    [[nodiscard]] std::optional<Camera> dragged(QPointF at, const CanvasSight& sight) const;
    void released() { m_isMapDragged = false; }
    /// Returns the painted arrow at this point, or null.
    [[nodiscard]] const EdgeArrow* arrowAt(QPointF at) const;

private:
    [[nodiscard]] const BackwardCard* cardAt(QPointF at) const;

    Minimap m_minimap;
    GestureLegend m_legend;
    std::vector<BackwardCard> m_cards;
    std::vector<EdgeArrow> m_arrows;
    bool m_isMinimapVisible = true;
    bool m_isMapDragged = false;
};

/// Paints the relations of an item over the picture: its producers and consumers in two colors, and the chips of their values.
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

enum class EdgeEmphasis : std::uint8_t { pointed, selected };

/// Highlights edges, with the items and chips at both ends. Cut edges are drawn from end to end.
void paintEdges(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> edges, EdgeEmphasis emphasis);

/// Paints the focus ring around the current item.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

} // namespace sunder
