#pragma once

#include "canvas/label_painter.h"
#include "panes/partition_dag/dag_decorations.h"

namespace sunder {

struct Drawing;

/// Paints a DagContent in its layout at 100%, with the colors of the theme.
class DagPainter {
public:
    DagPainter(QPainter& painter, const Theme& theme, const DagContent& content, const DagLayout& layout,
               const DagDecorations& marks)
        : m_painter(painter), m_labels(painter), m_theme(theme), m_content(content), m_layout(layout), m_marks(marks)
    {
    }

    void paint(const QRectF& seen);

private:
    void paintLane(std::size_t lane);
    void paintCutEdge(std::size_t cutEdge);
    void paintLabel(std::size_t cutEdge);
    void paintSharedLine(const SharedLine& line);
    void paintBox(std::size_t box);
    void paintBar(const DagBox& box, const QRectF& at);
    void paintTexts(std::size_t box);
    void paintName(std::size_t box);
    void paintCompactTexts(std::size_t box);
    void paintRings(std::size_t box);
    void paintFoldMark(std::size_t box);
    void paintChip(std::size_t chip, std::span<const SharedLine> lines);
    [[nodiscard]] bool isReadable(const QFont& font) const;
    [[nodiscard]] bool isPointedAt(std::size_t cutEdge) const;
    [[nodiscard]] QString opsOf(std::size_t box) const;

    QPainter& m_painter;
    LabelPainter m_labels;
    const Theme& m_theme;
    const DagContent& m_content;
    const DagLayout& m_layout;
    const DagDecorations& m_marks;
};

/// The pieces of a memory bar; also used by the legend.
enum class BarPiece : quint8 { parameters, duplicated, values, boundary, others, free, overflow };
QBrush brushOf(BarPiece piece, const QColor& color, const Theme& theme);

/// Returns a drawing of the whole Partition DAG and its line of totals, for export. All boxes are folded; nothing is selected or
/// hovered. `width`: width of the layout. `zoom`: current zoom, which decides between one-line and multi-line boxes. `seen`: the
/// visible rectangle.
std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen);

} // namespace sunder
