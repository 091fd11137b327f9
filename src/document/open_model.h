#pragma once

#include "document/prepared_model.h"

#include "io/pt2/pt2_programs.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

#include <vector>

namespace sunder {

/// A model as it was read, or the programs to choose from, and what is to be said about the tags that lie beside it.
struct OpenedModel {
    PreparedModel model;                        ///< without a snapshot: one of `programs` has to be named
    std::vector<Pt2ProgramEntry> programs = {}; ///< where the file holds several
    std::string tagsHash = {}; ///< SHA-256 of the tags file beside it; empty when none was taken
    QString tagsNote = {}; ///< what of the tags beside the model did not fit or could not be read, as a sentence
};

/// Reads a model of any kind that readModel() knows, prepares it for the window, and takes the tags file beside it
/// along when there is one. `program`: which one of a file that holds several; where it is not named, or not there,
/// the programs come back to choose from. For a background job.
/// `operators`: schemas of custom operators, null for none.
Result<OpenedModel> openModel(const QString& path, const QString& program, std::shared_ptr<const OperatorLibrary> operators,
                              ProgressMonitor& monitor);

/// The same without any tags: `model` has its snapshot and the name of its program alone.
Result<OpenedModel> readSource(const QString& path, const QString& program, std::shared_ptr<const OperatorLibrary> operators,
                               ProgressMonitor& monitor);

/// The model with the tags file beside it, where there is one. For a background job.
[[nodiscard]] OpenedModel withTagsBeside(OpenedModel read, const QString& path);

/// Reads the model that is open again and puts the tags that it has now on it, whatever a file says: by what its ops were, as
/// TagBasis::transfer then says, and with what was lost before. Rules stay. `tagsNote` says what came back. For a background job.
Result<OpenedModel> reopenModel(const QString& path, const QString& program, const SnapshotPtr& before, const TagState& state,
                                const TagBasis& basis, ProgressMonitor& monitor);

/// Gives a model the tags of a transfer in place of its own, its report, and tags that were `lost` before; a note says which of them.
Result<void> takeOver(OpenedModel& opened, const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost,
                      ProgressMonitor& monitor);

/// Reads a tags file, or the tags of a project, for this model. Refused when no name in it is a node of the model.
Result<LoadedTags> loadTagsFile(const QString& path, const Snapshot& snapshot);

/// Writes the tags with their own colours.
Result<void> saveTagsFile(const QString& path, const Snapshot& snapshot, const TagState& state);

/// Where the tags of a model are looked for and saved unless told otherwise: "model.pt2" → "model.tags.json".
QString tagsPathBeside(const QString& modelPath);

} // namespace sunder
