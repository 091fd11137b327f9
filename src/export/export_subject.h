#pragma once

#include "export/export_request.h"

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

/// What the window has to export; the dialog asks for the rest.
struct ExportSubject {
    QString name;   ///< of the model
    QString folder; ///< where files are proposed
    SnapshotPtr source;
    TagState tags;
    SplitOutcomePtr outcome;       ///< null: not split yet
    bool outcomeIsCurrent = false; ///< false: tags or devices have changed since the cut
    UnflattenOutcomePtr unflattened = {};
    RegionsOutcomePtr regions = {};
    std::array<QString, kResultKinds.size()> runs = {}; ///< by ResultKind: "Run 3, Split by tags"
    std::vector<ShownPicture> pictures = {}; ///< the one in front first
};

} // namespace sunder
