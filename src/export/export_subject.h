#pragma once

#include "export/export_format.h"

#include <vector>

namespace sunder {

/// A graph, or something else, that a pane shows, as it is drawn now.
struct ShownPicture {
    QString title; ///< "Source", "Submodules: stage0"
    std::shared_ptr<const Picture> picture;
    PictureStyle style;
    Rect seen = {}; ///< part of it that the pane shows
    std::shared_ptr<const Drawing> drawing = {}; ///< instead of a picture
};

/// A result that is shown, and how the window calls its run.
struct ShownResult {
    RunResult result;
    QString run;            ///< "run 3, Split by tags"
    bool isCurrent = false; ///< false: what it was made of has changed since
};

/// What the window has to export; the dialog asks for the rest.
struct ExportSubject {
    QString name;   ///< of the model
    QString folder; ///< where files are proposed
    SnapshotPtr source;
    TagState tags;
    std::vector<ShownResult> results = {};
    std::vector<ShownPicture> pictures = {}; ///< the one in front first
};

} // namespace sunder
