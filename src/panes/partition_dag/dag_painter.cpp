#include "panes/partition_dag/dag_painter.h"

#include "canvas/drawing.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QObject>

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr double kBoxRadius = 5;
constexpr double kStripe = 5;
constexpr double kPad = 14;
constexpr double kMinPixels = 8; ///< minimum text size

QPainterPath rounded(const QRectF& rect, double radius)
{
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    return path;
}

/// Returns the intersection of a shape and a rectangle. Used instead of clipping, which does not work in SVG.
QPainterPath cut(const QPainterPath& shape, const QRectF& rect)
{
    QPainterPath piece;
    piece.addRect(rect);
    return shape.intersected(piece);
}

} // namespace

QBrush brushOf(BarPiece piece, const QColor& color, const Theme& theme)
{
    switch (piece) {
    case BarPiece::parameters: return color;
    case BarPiece::duplicated: return QBrush(mixed(theme.node, color, 0.85), Qt::BDiagPattern);
    case BarPiece::values: return mixed(theme.node, color, 0.55);
    case BarPiece::boundary: return mixed(theme.node, color, 0.28);
    case BarPiece::others: return theme.faint;
    case BarPiece::free: return theme.soft;
    case BarPiece::overflow: return theme.error;
    }
    return theme.soft;
}

void DagPainter::paint(const QRectF& seen)
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_layout.lanes.size(); ++i)
        if (m_layout.lanes[i].intersects(seen))
            paintLane(i);
    for (std::size_t i = 0; i < m_layout.cutEdges.size(); ++i)
        if (!isPointedAt(i) && m_layout.cutEdges[i].path.controlPointRect().adjusted(-20, -20, 20, 20).intersects(seen))
            paintCutEdge(i);
    for (std::size_t i = 0; i < m_layout.boxes.size(); ++i)
        if (m_layout.boxes[i].adjusted(-4, -4, 4, 4).intersects(seen))
            paintBox(i);
    const std::vector<std::size_t> chips = shownChips(m_layout, m_marks);
    const std::vector<SharedLine> lines = shownLines(m_content, m_layout, m_marks);
    for (const SharedLine& line : lines)
        paintSharedLine(line);
    for (const std::size_t chip : chips)
        if (m_layout.chips[chip].rect.intersects(seen))
            paintChip(chip, lines);
    for (std::size_t i = 0; i < m_layout.cutEdges.size(); ++i)
        if (!isPointedAt(i) && m_layout.cutEdges[i].label.intersects(seen) && isLabelShown(m_layout, chips, i))
            paintLabel(i);
    for (std::size_t i = 0; i < m_layout.cutEdges.size(); ++i)
        if (isPointedAt(i)) {
            paintCutEdge(i);
            paintLabel(i);
        }
}

bool DagPainter::isPointedAt(std::size_t cutEdge) const
{
    const int index = static_cast<int>(cutEdge);
    return index == m_marks.cutEdge || index == m_marks.openCutEdge || (index == m_marks.currentCutEdge && m_marks.hasFocus);
}

void DagPainter::paintLane(std::size_t index)
{
    const DagLane& lane = m_content.lanes[index];
    const QRectF& at = m_layout.lanes[index];
    if (index % 2 == 0) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.soft);
        m_painter.drawRoundedRect(at, kBoxRadius, kBoxRadius);
    }
    const PictureFonts& fonts = pictureFonts();
    if (!isReadable(fonts.title))
        return;
    const QRectF& title = m_layout.laneTitles[index];
    const double baseline = title.top() + 11;
    const double width = m_labels.paint(lane.name, fonts.title, 1, {title.left(), baseline}, title.width(), m_theme.dim,
                                        Qt::ElideMiddle);
    if (lane.begin == lane.end)
        m_labels.paint(QObject::tr("%1 · no parts").arg(lane.memory), fonts.detail, 1, {title.left() + 8 + width, baseline},
                       title.width() - 8 - width, m_theme.dim);
    else if (title.height() > 20)
        m_labels.paint(lane.memory, fonts.detail, 1, {title.left(), baseline + 14}, title.width(), m_theme.dim);
}

/// Texts below 8 pixels are omitted.
bool DagPainter::isReadable(const QFont& font) const
{
    return logicalPixelSize(font) * m_painter.worldTransform().m11() >= kMinPixels;
}

/// Painted below the chips, so that the line is visible between them.
void DagPainter::paintSharedLine(const SharedLine& line)
{
    m_painter.setPen(QPen(m_theme.selection, 1.4));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(m_layout.sharedLine(m_content, line.shared, line.to));
}

void DagPainter::paintCutEdge(std::size_t index)
{
    const DagCutEdge& cutEdge = m_content.cutEdges[index];
    const DagLayout::CutEdgeShape& shape = m_layout.cutEdges[index];
    QColor color = cutEdge.isBackward ? m_theme.error : cutEdgeColor(m_theme);
    if (isPointedAt(index) && !cutEdge.isBackward)
        color = m_theme.selection;
    QPen pen(color, cutEdge.isBackward ? std::clamp(shape.width, 1.8, 4.0) : shape.width);
    pen.setCapStyle(Qt::FlatCap);
    if (cutEdge.isBackward)
        pen.setDashPattern({5 / pen.widthF(), 4 / pen.widthF()});
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(shape.path);
    const double half = std::max(4.5, pen.widthF() * 0.5 + 3);
    const QPointF back = shape.path.pointAtPercent(1);
    const QPointF side(shape.towards.y() * half, shape.towards.x() * half);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPolygon(QPolygonF({shape.tip, back + side, back - side}));
}

void DagPainter::paintLabel(std::size_t index)
{
    const DagCutEdge& cutEdge = m_content.cutEdges[index];
    const PictureFonts& fonts = pictureFonts();
    if (!isReadable(fonts.detail))
        return;
    const QString& text = m_layout.cutEdges[index].text;
    QRectF at = m_layout.cutEdges[index].label;
    if (at.isEmpty())
        at = m_layout.labelOf(index, LabelPainter::width(text, fonts.detail, 1));
    const bool pointed = isPointedAt(index);
    const QColor color = cutEdge.isBackward ? m_theme.error : m_theme.text;
    m_painter.setPen(QPen(cutEdge.isBackward ? m_theme.error : pointed ? m_theme.selection : m_theme.line, pointed ? 1.6 : 1));
    m_painter.setBrush(m_theme.panel);
    m_painter.drawRoundedRect(at.adjusted(0.5, 0.5, -0.5, -0.5), at.height() / 2, at.height() / 2);
    m_labels.paint(text, fonts.detail, 1, {at.left() + 8, at.center().y() + 3.4}, at.width() - 14, color);
}

void DagPainter::paintBox(std::size_t index)
{
    const DagBox& box = m_content.boxes[index];
    const QRectF& at = m_layout.boxes[index];
    paintRings(index);
    m_painter.setPen(QPen(m_theme.line, 1));
    m_painter.setBrush(m_theme.node);
    m_painter.drawRoundedRect(at.adjusted(0.5, 0.5, -0.5, -0.5), kBoxRadius, kBoxRadius);
    m_painter.fillPath(cut(rounded(at, kBoxRadius), {at.left(), at.top(), kStripe, at.height()}),
                       tagBrush(box.look.style, m_theme, m_painter));
    paintBar(box, m_layout.barOf(index));
    paintFoldMark(index);
    if (m_layout.isFar)
        paintName(index);
    else if (m_layout.isCompact)
        paintCompactTexts(index);
    else
        paintTexts(index);
}

void DagPainter::paintRings(std::size_t index)
{
    const QRectF& at = m_layout.boxes[index];
    const int box = static_cast<int>(index);
    const auto ring = [&](const QColor& color, double width, double out) {
        m_painter.setPen(QPen(color, width));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(at.adjusted(-out, -out, out, out), kBoxRadius + out, kBoxRadius + out);
    };
    if (box == m_marks.target)
        ring(m_marks.targetIsLegal ? m_theme.proven : m_theme.error, 3, 2.5);
    else if (index < m_marks.selectedOps.size() && m_marks.selectedOps[index] > 0)
        ring(m_theme.selection, 2, 1);
    else if (box == m_marks.box || (index < m_marks.hoveredBoxes.size() && m_marks.hoveredBoxes[index] != 0))
        ring(m_theme.faint, 1.5, 1);
    if (box == m_marks.currentBox && m_marks.hasFocus) {
        QPen pen(m_theme.text, 1);
        pen.setDashPattern({2, 2});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(at.adjusted(-4, -4, 4, 4), kBoxRadius + 4, kBoxRadius + 4);
    }
}

void DagPainter::paintFoldMark(std::size_t index)
{
    const QPointF at = m_layout.foldMarkOf(index).center();
    const bool isUnfolded = m_layout.isUnfolded(index);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_theme.dim);
    m_painter.drawPolygon(isUnfolded ? QPolygonF({at + QPointF(-4, -2.5), at + QPointF(4, -2.5), at + QPointF(0, 3)})
                                     : QPolygonF({at + QPointF(-2.5, -4), at + QPointF(3, 0), at + QPointF(-2.5, 4)}));
}

void DagPainter::paintChip(std::size_t index, std::span<const SharedLine> lines)
{
    const DagChip& chip = m_layout.chips[index];
    const QColor& color = m_content.boxes[chip.box].look.style.color;
    const auto handle = static_cast<std::size_t>(chip.handle);
    const bool isEnd = std::ranges::any_of(lines, [&](const SharedLine& line) {
        return static_cast<int>(line.shared) == chip.shared && (chip.leaves || line.to == chip.box);
    });
    const auto shared = static_cast<std::size_t>(chip.shared);
    const bool isSelected = isEnd
        || (chip.handle >= 0 && handle < m_marks.selectedHandles.size() && m_marks.selectedHandles[handle] != 0)
        || (chip.shared >= 0 && shared < m_marks.selectedShared.size() && m_marks.selectedShared[shared] != 0);
    const bool isPointed = static_cast<int>(index) == m_marks.chip;
    const bool isRest = chip.handle < 0 && chip.shared < 0;
    const QColor quiet = chip.isBeside ? m_theme.line : mixed(m_theme.line, color, 0.55); // tag colors are reserved for ops
    const QColor border = isSelected ? m_theme.selection : isPointed ? m_theme.dim : quiet;
    m_painter.setPen(QPen(border, isSelected || isPointed ? 1.6 : 1));
    m_painter.setBrush(chip.isBeside ? mixed(m_theme.soft, m_theme.node, 0.35) : mixed(m_theme.node, color, isRest ? 0 : 0.13));
    const QRectF at = chip.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const double scale = chip.rect.height() / DagChip::kHeight;
    const double radius = chip.isBeside ? at.height() / 2 : 4 * scale;
    m_painter.drawRoundedRect(at, radius, radius);
    const PictureFonts& fonts = pictureFonts();
    m_labels.paint(textOf(m_content, chip), isRest ? fonts.detail : fonts.mono, scale,
                   {at.left() + 6 * scale, at.bottom() - 3.5 * scale}, at.width() - 9 * scale,
                   isRest ? m_theme.dim : m_theme.text, Qt::ElideMiddle);
    if (static_cast<int>(index) == m_marks.currentChip && m_marks.hasFocus) {
        QPen pen(m_theme.text, 1);
        pen.setDashPattern({2, 2});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(at.adjusted(-2.5, -2.5, 2.5, 2.5), 6, 6);
    }
}

void DagPainter::paintBar(const DagBox& box, const QRectF& at)
{
    constexpr double kBehindCapacity = 1.12; ///< the capacity tick is inside the bar, with room for the overflow
    const auto whole = static_cast<double>(std::max<std::uint64_t>(
        1,
        box.capacity ? std::max(box.onDevice(), static_cast<std::uint64_t>(static_cast<double>(*box.capacity) * kBehindCapacity))
                     : m_content.largestUse));
    const auto toX = [&](std::uint64_t bytes) {
        return at.left() + at.width() * std::min(1.0, static_cast<double>(bytes) / whole);
    };
    const QPainterPath shape = rounded(at, 3);
    m_painter.fillPath(shape, m_theme.soft);
    const std::array<std::pair<BarPiece, std::uint64_t>, 5> pieces{{
        {BarPiece::parameters, box.sizes.parameterBytes - std::min(box.sizes.parameterBytes, box.sizes.duplicatedBytes)},
        {BarPiece::duplicated, box.sizes.duplicatedBytes},
        {BarPiece::values, box.sizes.activationPeakBytes},
        {BarPiece::boundary, box.sizes.inputBytes},
        {BarPiece::others, box.elsewhere},
    }};
    std::uint64_t begin = 0;
    for (const auto& [piece, bytes] : pieces) {
        const QPainterPath part = bytes == 0
            ? QPainterPath()
            : cut(shape, {QPointF(toX(begin), at.top()), QPointF(toX(begin + bytes), at.bottom())});
        if (piece == BarPiece::duplicated)
            m_painter.fillPath(part, mixed(m_theme.node, box.look.style.color, 0.2));
        m_painter.fillPath(part, brushOf(piece, box.look.style.color, m_theme));
        begin += bytes;
    }
    if (box.overflow > 0)
        m_painter.fillPath(cut(shape, {QPointF(toX(*box.capacity), at.top()), at.bottomRight()}), m_theme.error);
    if (box.capacity) {
        const double x = toX(*box.capacity);
        m_painter.setPen(QPen(m_theme.text, 1.5));
        m_painter.drawLine(QPointF(x, at.top() - 3), QPointF(x, at.bottom() + 3));
    }
}

QString DagPainter::opsOf(std::size_t index) const
{
    const QString ops = countText(m_content.boxes[index].sizes.ops, "op");
    const std::size_t selected = index < m_marks.selectedOps.size() ? m_marks.selectedOps[index] : 0;
    return selected == 0 || selected == m_content.boxes[index].sizes.ops
        ? ops
        : QObject::tr("%1 of %2").arg(text(formatCount(selected)), ops);
}

/// Paints only the name, at the smallest readable size, for a small zoom.
void DagPainter::paintName(std::size_t index)
{
    const QRectF& at = m_layout.boxes[index];
    const QFont& font = pictureFonts().title;
    const double scale = std::max(1.0, kMinPixels / (logicalPixelSize(font) * m_painter.worldTransform().m11()));
    const double right = m_layout.isCompact ? m_layout.barOf(index).left() : m_layout.foldMarkOf(index).left();
    m_labels.paint(m_content.boxes[index].look.name, font, scale,
                   {at.left() + kPad, at.top() + (m_layout.isCompact ? m_layout.headHeight / 2 + 4 * scale : 21)},
                   right - at.left() - kPad - 8, m_theme.text, Qt::ElideMiddle);
}

void DagPainter::paintTexts(std::size_t index)
{
    const DagBox& box = m_content.boxes[index];
    const QRectF& at = m_layout.boxes[index];
    const PictureFonts& fonts = pictureFonts();
    const bool isSelected = index < m_marks.selectedOps.size() && m_marks.selectedOps[index] > 0;
    const double right = m_layout.foldMarkOf(index).left() - 2;
    const double top = at.top() + 19;
    const double ops = m_labels.paintRight(opsOf(index), fonts.detail, 1, {right, top}, 120,
                                           isSelected ? readable(m_theme.selection, m_theme.node) : m_theme.dim);
    const double code = m_labels.paint(box.look.code, fonts.code, 1.1, {at.left() + kPad, top}, 40, box.look.style.text);
    const double begin = at.left() + kPad + code + 6;
    m_labels.paint(box.look.name, fonts.title, 1.05, {begin, top}, right - ops - 8 - begin, m_theme.text, Qt::ElideMiddle);
    const bool overflows = box.overflow > 0;
    const QFont& font = overflows ? fonts.code : fonts.detail;
    const double room = m_layout.boxWidth - kPad - 10;
    const double below = m_layout.barOf(index).bottom() + 15;
    m_labels.paint(box.amount, font, 1.05, {at.left() + kPad, below}, room, overflows ? m_theme.error : m_theme.text);
    const double cost = LabelPainter::width(box.cost, fonts.detail, 1);
    if (cost + 12 <= room - LabelPainter::width(box.amount, font, 1.05))
        m_labels.paintRight(box.cost, fonts.detail, 1, {at.left() + kPad + room, below}, cost + 1, m_theme.dim);
}

void DagPainter::paintCompactTexts(std::size_t index)
{
    const DagBox& box = m_content.boxes[index];
    const QRectF& at = m_layout.boxes[index];
    const PictureFonts& fonts = pictureFonts();
    const double baseline = at.top() + m_layout.headHeight / 2 + 4;
    const QRectF bar = m_layout.barOf(index);
    m_labels.paint(box.look.name, fonts.title, 1, {at.left() + kPad - 3, baseline}, bar.left() - at.left() - kPad - 3,
                   m_theme.text, Qt::ElideMiddle);
    const QFont& font = box.overflow > 0 ? fonts.code : fonts.detail;
    const double room = m_layout.foldMarkOf(index).left() - bar.right() - 10;
    const QString& amount = LabelPainter::width(box.amount, font, 1) <= room ? box.amount : box.brief;
    m_labels.paint(amount, font, 1, {bar.right() + 8, baseline}, room, box.overflow > 0 ? m_theme.error : m_theme.dim);
}

std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen)
{
    constexpr double kTotals = 24; ///< below the boxes
    constexpr double kEdgeRoom = 12;
    if (content.boxes.empty())
        return nullptr;
    const auto held = std::make_shared<const DagContent>(std::move(content));
    const Theme& theme = currentTheme();
    const DagLayout layout = layOut(*held, {.width = width, .zoom = std::max(1.0, zoom)});
    const double totals = LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 2 * kEdgeRoom;
    const QSizeF size(std::max(layout.size.width(), totals), layout.size.height() + kTotals);
    const auto paint = [held, layout, &theme](QPainter& painter) {
        const DagDecorations marks;
        DagPainter(painter, theme, *held, layout, marks).paint(QRectF(QPointF(), layout.size));
        LabelPainter(painter).paint(held->totals, pictureFonts().detail, 1.1, {kEdgeRoom, layout.size.height() + kTotals - 10},
                                    LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 1, theme.text);
    };
    return std::make_shared<const Drawing>(
        Drawing{.size = size, .seen = seen.intersected(QRectF(QPointF(), size)), .background = theme.canvas, .paint = paint});
}

} // namespace sunder
