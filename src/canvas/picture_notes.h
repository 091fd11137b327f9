#pragma once

#include "canvas/paint_context.h"
#include "io/side_files/project_file.h"

#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// A note on an op: its text broken into lines that are narrow enough to stand beside a graph.
PictureNote pictureNote(NodeId node, const QString& text, QPointF offset);

/// The notes of a project on nodes that the graph has. O(nodes) where there are notes.
std::vector<PictureNote> pictureNotes(const Graph& graph, std::span<const ProjectNote> notes);

/// Where a note stands in the view.
struct PlacedNote {
    std::size_t note = 0; ///< in PictureStyle::notes
    ItemId item;          ///< the box that shows its op
    QRectF rect;
    bool isSign = false;  ///< too small to be read: a sign stands for it
};

/// The notes that are in the view. Several at one box stand below each other. O(notes).
std::vector<PlacedNote> placeNotes(const PaintContext& context);

void paintNotes(QPainter& painter, const PaintContext& context, const std::vector<PlacedNote>& notes);

/// The box around all notes of a picture at 100 %; nothing where there are none.
std::optional<Rect> boundsOfNotes(const Picture& picture, const PictureStyle& style);

} // namespace sunder
