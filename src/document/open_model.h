#pragma once

#include "document/snapshot.h"
#include "document/tag_state.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

#include <optional>

namespace sunder {

/// Tags as a file has them, fitted to a model.
struct LoadedTags {
    TagAssignment tags;
    std::vector<TagColor> colors;
    QString path;
    QString note = {}; ///< what did not fit, as a sentence; empty when all did
};

/// A model as it was read, with the tags that lie beside it.
struct OpenedModel {
    SnapshotPtr snapshot;
    std::optional<LoadedTags> tags;
    QString tagsFault = {}; ///< why the tags beside the model could not be read; empty when there is nothing to say
};

/// Reads a model of any kind that readModel() knows, prepares it for the window, and takes the tags file beside it
/// along when there is one. For a background job.
Result<OpenedModel> openModel(const QString& path, ProgressMonitor& monitor);

/// Reads a tags file for this model. Refused when no name in it is a node of the model.
Result<LoadedTags> loadTagsFile(const QString& path, const Snapshot& snapshot);

/// Writes the tags with their own colours.
Result<void> saveTagsFile(const QString& path, const Snapshot& snapshot, const TagState& state);

/// Where the tags of a model are looked for and saved unless told otherwise: "model.pt2" → "model.tags.json".
QString tagsPathBeside(const QString& modelPath);

} // namespace sunder
