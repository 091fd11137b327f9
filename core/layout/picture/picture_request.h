#pragma once

#include "layout/picture/scene_picture.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace sunder {

/// How a graph is drawn that is a piece of a larger one.
struct PictureHints {
    std::string within = {};          ///< as in PictureOptions
    std::vector<NodeId> asides = {};  ///< as in PictureOptions
};

/// All that a job needs to draw a graph.
struct PictureRequest {
    std::shared_ptr<const Program> program;
    GraphId graph;
    PictureHints hints = {};
    std::optional<std::set<std::string>> open; ///< keys of what is open; nothing: as at first sight
    bool openAll = false;                      ///< every module, down to the ops
    std::set<std::string> openBelow = {};      ///< these, and all that they hold, as deep as it goes
    NodeId openTowards = {};                   ///< opens what hides this node …
    std::string openUntil = {};                ///< … until the frame of this key is open; empty: down to the node
    ColumnOptions columns = {};                ///< at first sight its room is that of the pane
    std::shared_ptr<const Picture> previous = {};
    TextWidth textWidth = {};
};

/// A picture, and what is open in it.
struct PictureAnswer {
    ScenePicturePtr picture;
    std::set<std::string> open;
};

/// Draws it. Fails only when cancelled.
Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& engine, ProgressMonitor& monitor);

} // namespace sunder
