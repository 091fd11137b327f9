#pragma once

#include "layout/picture/picture.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sunder {

/// One box of a body: an op, or a module or run that may have a body of its own.
struct BodyBox {
    static constexpr std::uint32_t kNoBody = 0xffffffffU;

    std::uint32_t picture = 0; ///< index into PictureBodies::pictures
    ItemId item;               ///< in that picture: a closed item, or the frame of an initially open box
    Rect rect;                 ///< in the body; of an initially open box, with its contents
    Size closed;               ///< size without its contents
    std::uint32_t body = kNoBody; ///< its contents
    bool isOpen = false;          ///< initially
};

/// A dependency within a body.
struct BodyEdge {
    static constexpr std::uint32_t kBorder = 0xffffffffU;

    std::uint32_t from = kBorder; ///< index into the boxes; kBorder: from outside
    std::uint32_t to = kBorder;   ///< likewise
    BezierPath path;              ///< in the body, up to its border
    std::vector<NodeId> values;   ///< producers of the carried values
    std::uint64_t bytes = 0;      ///< of these values; 0 if unknown
    bool isCut = false;           ///< connects different columns
};

/// The contents of one module, or the whole picture, with every module inside closed, except those that are initially open.
struct PictureBody {
    std::uint32_t picture = 0; ///< index into PictureBodies::pictures
    ItemId frame;              ///< in that picture; invalid for the whole picture
    Size size;
    std::vector<BodyBox> boxes;
    std::vector<BodyEdge> edges;
};

/// A graph as bodies, from which a viewer without a layout engine can compose the picture for any set of open modules: it replaces
/// a box by its body and moves the others apart.
struct PictureBodies {
    std::vector<std::shared_ptr<const Picture>> pictures; ///< the first one is the initial picture
    std::vector<PictureBody> bodies; ///< the first one is the whole picture
};

/// Divides a picture into bodies and lays out the contents of all its closed modules, level by level. `options` are those of the
/// picture; the modules inside have one column. Fails when canceled or like the engine. O(nodes + edges) for every level, plus the
/// time of the engine.
Result<PictureBodies> pictureBodies(const Program& program, GraphId graph, std::shared_ptr<const Picture> picture,
                                    PictureOptions options, const LayoutEngine& engine,
                                    ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
