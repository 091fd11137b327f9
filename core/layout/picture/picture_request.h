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

/// What is open in a picture, as a person opens and closes it: closing one module leaves all others as they are, those
/// inside it too. Keys as of PictureOptions.
struct OpenModules {
    std::set<std::string> open = {};   ///< one by one
    std::set<std::string> deep = {};   ///< with all that they hold
    bool all = false;                  ///< every module, down to the ops
    std::set<std::string> closed = {}; ///< among those of which all is open

    void openOne(const std::string& key);
    void openDeep(const std::string& key);
    void close(const std::string& key);
    void closeAll(); ///< what was a group, open or not, is one then
    friend bool operator==(const OpenModules&, const OpenModules&) = default;
};

/// All that a job needs to draw a graph.
struct PictureRequest {
    std::shared_ptr<const Program> program;
    GraphId graph;
    PictureHints hints = {};
    std::optional<OpenModules> open; ///< nothing: as at first sight
    NodeId openTowards = {};                   ///< opens what hides this node …
    std::string openUntil = {};                ///< … until the frame of this key is open; empty: down to the node
    bool bystanders = false;                   ///< as in PictureOptions
    std::vector<NodeId> only = {};             ///< as in PictureOptions
    FlowDirection direction = FlowDirection::down;
    ColumnOptions columns = {};                ///< at first sight its room is that of the pane
    std::shared_ptr<const Picture> previous = {};
    TextWidth textWidth = {};
};

/// A picture, and what is open in it.
struct PictureAnswer {
    ScenePicturePtr picture;
    OpenModules open;
};

/// What there has to be of a picture for its columns to be kept (PictureRequest::previous): items with which they begin.
Picture columnsOf(const Picture& picture);

/// Draws it. Fails only when cancelled.
Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& engine, ProgressMonitor& monitor);

} // namespace sunder
