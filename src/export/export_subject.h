#pragma once

#include "export/export_format.h"

#include <vector>

namespace sunder {

/// A graph or other drawing, as a pane currently shows it.
struct ShownPicture {
    QString title; ///< "Source", "Submodules: stage0"
    std::shared_ptr<const Picture> picture;
    PictureStyle style;
    Rect seen = {}; ///< visible area
    std::shared_ptr<const Drawing> drawing = {}; ///< used instead of `picture`
    PictureRequest request = {};                 ///< of `picture`
};

/// A shown result and the displayed name of its run.
struct ShownResult {
    RunResult result;
    QString run;            ///< "run 3, Split by tags"
    bool isCurrent = false; ///< false if its input has changed since
};

/// Everything in the window that can be exported.
struct ExportSubject {
    QString name;   ///< name of the model
    QString folder; ///< folder for proposed paths
    SnapshotPtr source;
    TagState tags;
    std::vector<ShownResult> results = {};
    std::shared_ptr<const PlannedSchedule> schedule = {}; ///< of the timeline; null if it shows none
    std::vector<ShownPicture> pictures = {}; ///< the one in front comes first
};

} // namespace sunder
