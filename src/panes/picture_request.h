#pragma once

#include "layout/picture.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace sunder {

/// All that a job needs to draw a graph.
struct PictureRequest {
    std::shared_ptr<const Program> program;
    GraphId graph;
    std::optional<std::set<std::string>> open; ///< keys of what is open; nothing: as at first sight
    bool openAll = false;                      ///< every module, down to the ops
    std::set<std::string> openBelow = {};      ///< these, and all that they hold, as deep as it goes
    NodeId openTowards = {};                   ///< opens what hides this node …
    std::string openUntil = {};                ///< … until the frame of this key is open; empty: down to the node
    std::shared_ptr<const Picture> previous = {};
    TextWidth textWidth = {};
};

/// A picture, and what is open in it.
struct PictureAnswer {
    std::shared_ptr<const Picture> picture;
    std::set<std::string> open;
};

/// Draws it. Fails only when cancelled.
Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& engine, ProgressMonitor& monitor);

} // namespace sunder
