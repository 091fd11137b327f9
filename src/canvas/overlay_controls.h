#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_sight.h"
#include "canvas/edge_arrows.h"
#include "canvas/gesture_legend.h"
#include "canvas/minimap.h"

namespace sunder {

/// What lies over a picture and takes presses: cards of backward edges, arrows at the borders, the minimap, the legend of gestures.
class OverlayControls final {
public:
    /// What a press was for.
    struct Press {
        enum class Kind : std::uint8_t {
            beside, ///< nothing of all this is there
            taken, ///< nothing follows
            dismissed, ///< the legend, which is gone now
            look, ///< the view is to move to `camera`
            card, ///< of the backward edge `mark`
        } kind = Kind::beside;
        Camera camera;
        std::uint32_t mark = 0;
    };

    void setLegendVisible(bool visible) { m_legend.setVisible(visible); }
    void setLegendTool(ToolKind tool) { m_legend.setTool(tool); }
    /// Another size of the view, which shows the same place.
    void keepLegend(const CanvasSight& sight) { m_legend.stay(sight.view); }
    /// Finds the corner where the legend covers least; not while one looks around.
    void placeLegend(const CanvasSight& sight) { m_legend.place(sight.scene, sight.camera, sight.view); }
    [[nodiscard]] QRectF legendRect() const { return m_legend.rect(); }
    void setMinimapVisible(bool visible) { m_isMinimapVisible = visible; }
    /// Empty where there is none.
    [[nodiscard]] QRectF minimapRect(const CanvasSight& sight) const;

    /// Places cards and arrows, and paints all. `hasty`: the map may be that of a moment ago.
    void paint(QPainter& painter, const CanvasSight& sight, const PaintContext& context, bool hasty);
    /// The map of a large picture is made in steps: advanceMap() while it is late; true when it looks different.
    [[nodiscard]] bool isMapLate() const { return m_minimap.isLate(); }
    bool advanceMap(const CanvasScene& scene) { return m_minimap.advance(scene); }

    Press pressed(QPointF at, const CanvasSight& sight);
    /// A press there would be for one of these.
    [[nodiscard]] bool isAt(QPointF at, const CanvasSight& sight) const;
    /// Where a drag looks that began in the minimap.
    [[nodiscard]] std::optional<Camera> dragged(QPointF at, const CanvasSight& sight) const;
    void released() { m_isMapDragged = false; }
    /// The arrow that was painted there, or null.
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

} // namespace sunder
