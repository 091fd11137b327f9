#pragma once

#include "document/prepared_model.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

namespace sunder {

/// A model as it was read, and what is to be said about the tags that lie beside it.
struct OpenedModel {
    PreparedModel model;
    QString tagsNote = {}; ///< what of the tags beside the model did not fit or could not be read, as a sentence
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
