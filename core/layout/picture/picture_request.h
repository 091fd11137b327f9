#pragma once

#include "layout/picture/picture_bodies.h"
#include "layout/picture/picture_index.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace sunder {

/// Options for a graph that is part of a larger one.
struct PictureHints {
    std::string within = {};          ///< see PictureOptions
    std::vector<NodeId> asides = {};  ///< see PictureOptions
};

/// The open modules of a picture as the user opens and closes them. Closing a module keeps the state of all others, including
/// nested ones. See PictureOptions for keys.
struct OpenModules {
    std::set<std::string> open = {};   ///< opened individually
    std::set<std::string> deep = {};   ///< opened with all their contents
    bool all = false;                  ///< every module, down to the ops
    std::set<std::string> closed = {}; ///< closed inside deeply open modules

    void openOne(const std::string& key);
    void openDeep(const std::string& key);
    void close(const std::string& key);
    void closeAll(); ///< all groups, open or not, become folded groups
    friend bool operator==(const OpenModules&, const OpenModules&) = default;
};

/// The input of a job that draws a graph.
struct PictureRequest {
    std::shared_ptr<const Program> program;
    GraphId graph;
    PictureHints hints = {};
    std::optional<OpenModules> open; ///< nothing: the initial picture
    NodeId openTowards = {};                   ///< opens the modules that hide this node …
    std::string openUntil = {};                ///< … until the frame with this key is open; empty: down to the node
    bool deadNodes = false;                   ///< see PictureOptions
    std::vector<NodeId> only = {};             ///< see PictureOptions
    FlowDirection direction = FlowDirection::down;
    ColumnOptions columns = {};                ///< for the initial picture, `room` is the size of the pane
    std::shared_ptr<const Picture> previous = {};
    TextWidth textWidth = {};
};

/// A picture and its open modules.
struct PictureAnswer {
    ScenePicturePtr picture;
    OpenModules open;
};

/// Returns a reduced picture with only the items that start columns, sufficient to keep the columns (PictureRequest::previous).
Picture columnsOf(const Picture& picture);

/// Draws the picture of a request. Fails only when canceled.
Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& engine, ProgressMonitor& monitor);

/// Divides the picture of a request, whose open modules are known, into bodies; see pictureBodies().
Result<PictureBodies> bodiesOf(const PictureRequest& request, std::shared_ptr<const Picture> picture, const LayoutEngine& engine,
                               ProgressMonitor& monitor);

} // namespace sunder
