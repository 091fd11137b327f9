#include "canvas/picture_notes.h"

#include "canvas/label_painter.h"
#include "layout/picture/picture_index.h"
#include "text/shown_text.h"

#include <QPainterPath>
#include <QRegularExpression>

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

constexpr double kNoteWidth = 170; ///< width of the text
constexpr double kNotePad = 8;
constexpr double kNoteRow = 14;
constexpr double kNoteCorner = 7; ///< size of the folded corner
constexpr double kNoteSign = 10;  ///< view pixels
constexpr qsizetype kMaxNoteLines = 14;

double noteWidthOf(const QString& text)
{
    return LabelPainter::width(text, pictureFonts().detail, 1);
}

/// Returns the number of letters of `word` that fit into a line.
qsizetype fittingLetters(const QString& word)
{
    qsizetype count = word.size();
    while (count > 1 && noteWidthOf(word.left(count)) > kNoteWidth)
        count = std::max<qsizetype>(
            1,
            std::min(count - 1, static_cast<qsizetype>(static_cast<double>(count) * kNoteWidth / noteWidthOf(word.left(count)))));
    return count;
}

void addParagraph(const QString& paragraph, QStringList& lines)
{
    QString line;
    for (QString word : paragraph.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (noteWidthOf(longer) <= kNoteWidth) {
            line = longer;
            continue;
        }
        if (!line.isEmpty())
            lines += line;
        while (noteWidthOf(word) > kNoteWidth && lines.size() <= kMaxNoteLines) {
            const qsizetype count = fittingLetters(word);
            lines += word.left(count);
            word.remove(0, count);
        }
        line = word;
    }
    lines += line;
}

/// Calls visit(index, item, position in the scene) for the notes whose ops are shown.
template <typename Visit>
void forNotes(const Picture& picture, const PictureStyle& style, const Visit& visit)
{
    std::unordered_map<ItemId, float> below; // y of the next note at this box
    for (std::size_t i = 0; i < style.notes.size(); ++i) {
        const PictureNote& note = style.notes[i];
        const ItemId item = itemOf(picture, note.node);
        if (!item)
            continue;
        const Rect& box = picture.items[item.index()].rect;
        const float down = below[item];
        below[item] = down + static_cast<float>(note.size.height() + kNotePad);
        visit(i, item,
              Rect{box.right() + static_cast<float>(note.offset.x()), box.y + static_cast<float>(note.offset.y()) + down,
                   static_cast<float>(note.size.width()), static_cast<float>(note.size.height())});
    }
}

} // namespace

PictureNote pictureNote(NodeId node, const QString& text, QPointF offset)
{
    PictureNote note{.node = node, .text = text, .offset = offset};
    static const QRegularExpression ends(QStringLiteral("[\\r\\n]+"));
    for (const QString& paragraph : text.split(ends))
        if (note.lines.size() <= kMaxNoteLines)
            addParagraph(visible(paragraph), note.lines);
    if (note.lines.size() > kMaxNoteLines) {
        note.lines.erase(note.lines.begin() + kMaxNoteLines, note.lines.end());
        note.lines.back() += QStringLiteral(" …");
    }
    double width = 0;
    for (const QString& line : note.lines)
        width = std::max(width, noteWidthOf(line));
    note.size = {width + 2 * kNotePad, static_cast<double>(note.lines.size()) * kNoteRow + 2 * kNotePad - 4};
    return note;
}

std::vector<PictureNote> pictureNotes(const Graph& graph, std::span<const ProjectNote> notes)
{
    std::vector<PictureNote> made;
    if (notes.empty())
        return made;
    std::unordered_map<InternedString, NodeId> nodes; // notes are few, nodes are many
    for (const ProjectNote& note : notes)
        nodes.emplace(note.node, NodeId());
    for (const NodeId id : graph.nodes())
        if (const auto noted = nodes.find(graph[id].name); noted != nodes.end())
            noted->second = id;
    for (const ProjectNote& note : notes)
        if (const NodeId node = nodes[note.node])
            made.push_back(pictureNote(node, linesOf(note.text), QPointF(note.x, note.y)));
    return made;
}

std::vector<PlacedNote> placeNotes(const PaintContext& context)
{
    std::vector<PlacedNote> placed;
    const bool isSign = !context.vector && context.zoom() < kReadableZoom;
    forNotes(context.picture, context.style, [&](std::size_t note, ItemId item, const Rect& place) {
        QRectF rect = context.camera.toView(place);
        if (isSign)
            rect.setSize({kNoteSign, kNoteSign});
        if (rect.intersects(context.view))
            placed.push_back({note, item, rect, isSign});
    });
    return placed;
}

void paintNotes(QPainter& painter, const PaintContext& context, const std::vector<PlacedNote>& notes)
{
    const Theme& theme = context.theme();
    const double zoom = context.zoom();
    const QColor ground = mixed(theme.panel, theme.warning, theme.dark ? 0.16 : 0.1);
    LabelPainter labels(painter);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const PlacedNote& placed : notes) {
        const QRectF& at = placed.rect;
        const QRectF box = context.camera.toView(context.picture.items[placed.item.index()].rect);
        painter.setPen(QPen(theme.dim, 1, Qt::DotLine));
        painter.drawLine(
            QPointF(std::clamp(at.center().x(), box.left(), box.right()), std::clamp(at.center().y(), box.top(), box.bottom())),
            QPointF(std::clamp(box.center().x(), at.left(), at.right()), std::clamp(box.center().y(), at.top(), at.bottom())));
        const double fold = placed.isSign ? 4 : kNoteCorner * zoom;
        QPainterPath sheet(at.topLeft());
        sheet.lineTo(at.right() - fold, at.top());
        sheet.lineTo(at.right(), at.top() + fold);
        sheet.lineTo(at.bottomRight());
        sheet.lineTo(at.bottomLeft());
        sheet.closeSubpath();
        painter.setPen(QPen(mixed(theme.line, theme.dim, 0.6), 1));
        painter.setBrush(ground);
        painter.drawPath(sheet);
        painter.drawPolyline(QPolygonF{QPointF(at.right() - fold, at.top()), QPointF(at.right() - fold, at.top() + fold),
                                       QPointF(at.right(), at.top() + fold)});
        if (placed.isSign)
            continue;
        const PictureNote& note = context.style.notes[placed.note];
        double y = at.top() + (kNotePad + 9) * zoom;
        for (const QString& line : note.lines) {
            labels.paint(line, pictureFonts().detail, zoom, {at.left() + kNotePad * zoom, y}, at.width() - kNotePad * zoom,
                         readable(theme.text, ground));
            y += kNoteRow * zoom;
        }
    }
}

std::optional<Rect> boundsOfNotes(const Picture& picture, const PictureStyle& style)
{
    std::optional<Rect> bounds;
    forNotes(picture, style, [&](std::size_t, ItemId, const Rect& place) { bounds = bounds ? united(*bounds, place) : place; });
    return bounds;
}

} // namespace sunder
