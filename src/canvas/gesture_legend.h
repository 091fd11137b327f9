#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"
#include "canvas/gestures.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace sunder {

struct Theme;

/// A legend of gestures over the picture, until it is dismissed. It is in a corner or at an edge where it covers no item, preferably
/// in the lower left corner, and hidden if there is no such place. At the top it leaves room for the bar of fill and wand.
class GestureLegend final {
public:
    enum class Press : quint8 { beside, inside, dismissed };

    void setVisible(bool visible) { m_isVisible = visible; }
    /// Shows the gestures of this tool; the corner does not change.
    void setTool(ToolKind tool);
    [[nodiscard]] const std::vector<Gesture>& rows() const { return m_rows; }
    /// Returns the width in pixels for the text of a row.
    [[nodiscard]] static double roomForWords();
    /// Chooses the place. Called for a new picture and when all of it is shown, but not while navigating, so that the legend
    /// does not jump.
    void place(const CanvasScene& scene, const Camera& camera, QSizeF view);
    /// Keeps the place after the view was resized; hidden while it has no room there or would cover an item.
    void stay(const CanvasScene& scene, const Camera& camera, QSizeF view);
    /// Returns its rectangle; empty if it is hidden.
    [[nodiscard]] QRectF rect() const { return m_isVisible ? m_rect : QRectF(); }
    void paint(QPainter& painter, const Theme& theme) const;
    /// Handles a press; the cross dismisses the legend.
    Press pressed(QPointF at);

private:
    [[nodiscard]] QRectF cross() const;

    [[nodiscard]] double height() const;
    /// Returns the possible rectangles, the preferred one first; empty in a small view.
    [[nodiscard]] std::vector<QRectF> places() const;
    /// Updates the rectangle for the current corner.
    void moveToCorner();

    bool m_isVisible = false;
    ToolKind m_tool = ToolKind::select;
    std::vector<Gesture> m_rows = legendOf(ToolKind::select);
    std::optional<std::size_t> m_corner; ///< index into places()
    QSizeF m_view;
    QRectF m_rect;
};

} // namespace sunder
