#pragma once

#include "canvas/paint_context.h"
#include "io/side_files/project_file.h"

#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// Returns a note on an op, with its text broken into short lines.
PictureNote pictureNote(NodeId node, const QString& text, QPointF offset);

/// Returns the notes of a project on nodes of this graph. O(nodes) if there are notes.
std::vector<PictureNote> pictureNotes(const Graph& graph, std::span<const ProjectNote> notes);

/// The position of a note in the view.
struct PlacedNote {
    std::size_t note = 0; ///< index into PictureStyle::notes
    ItemId item;          ///< box that shows its op
    QRectF rect;
    bool isSign = false;  ///< drawn as a sign, because its text is too small to read
};

/// Returns the notes in the view. Several notes of one box are stacked. O(notes).
std::vector<PlacedNote> placeNotes(const PaintContext& context);

void paintNotes(QPainter& painter, const PaintContext& context, const std::vector<PlacedNote>& notes);

/// Returns the bounding box of all notes of a picture at 100%; nothing if there are none.
std::optional<Rect> boundsOfNotes(const Picture& picture, const PictureStyle& style);

} // namespace sunder
