#pragma once

#include "canvas/camera.h"
#include "canvas/canvas_scene.h"
#include "canvas/gestures.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace sunder {

struct Theme;

/// The legend of gestures over a picture, until it is dismissed: in the corner where it covers least, the lower left one
/// if it may. None in a small view, nor where it would cover more than two items in every corner. At the top it leaves room
/// for the bar of fill and wand.
class GestureLegend final {
public:
    enum class Press : quint8 { beside, inside, dismissed };

    void setVisible(bool visible) { m_isVisible = visible; }
    /// It says what this tool does; it stays in its corner.
    void setTool(ToolKind tool);
    [[nodiscard]] const std::vector<Gesture>& rows() const { return m_rows; }
    /// Pixels that the words of a row have.
    [[nodiscard]] static double roomForWords();
    /// Finds its corner: when a picture comes and when all of it is shown, not while one looks around, where it would hop from
    /// one to the other.
    void place(const CanvasScene& scene, const Camera& camera, QSizeF view);
    /// In a view of another size it stays in its corner, as far as there is room.
    void stay(QSizeF view);
    /// Where it is; empty where it is not shown.
    [[nodiscard]] QRectF rect() const { return m_isVisible ? m_rect : QRectF(); }
    void paint(QPainter& painter, const Theme& theme) const;
    /// What a press there is for; its cross dismisses it.
    Press pressed(QPointF at);

private:
    [[nodiscard]] QRectF cross() const;

    [[nodiscard]] double height() const;
    /// The corners of the view, the preferred one first; none in a small view.
    [[nodiscard]] std::vector<QRectF> places() const;
    /// Where its corner is now.
    void moveToCorner();

    bool m_isVisible = false;
    ToolKind m_tool = ToolKind::select;
    std::vector<Gesture> m_rows = legendOf(ToolKind::select);
    std::optional<std::size_t> m_corner; ///< among places()
    QSizeF m_view;
    QRectF m_rect;
};

} // namespace sunder
