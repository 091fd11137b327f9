#pragma once

#include "document/prepared_model.h"

#include "io/pt2/pt2_programs.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

#include <vector>

namespace sunder {

/// A model as read, or the programs to choose from, with a note about the tags file next to it.
struct OpenedModel {
    PreparedModel model;                        ///< without a snapshot if one of `programs` must be chosen
    std::vector<Pt2ProgramEntry> programs = {}; ///< programs of a file that holds several
    std::string tagsHash = {}; ///< SHA-256 of the tags file next to the model; empty if none was loaded
    QString tagsNote = {}; ///< problems with the tags next to the model, as a sentence
};

/// Reads a model of any format that readModel() supports, prepares it for the window, and loads the tags file next to it if there
/// is one. `program` selects a program of a file that holds several; if it is empty or unknown, the result lists the programs.
/// `operators` holds schemas of custom operators and may be null. Call from a background job.
Result<OpenedModel> openModel(const QString& path, const QString& program, std::shared_ptr<const OperatorLibrary> operators,
                              ProgressMonitor& monitor);

/// Reads a model without tags: `model` has only its snapshot and program name.
Result<OpenedModel> readSource(const QString& path, const QString& program, std::shared_ptr<const OperatorLibrary> operators,
                               ProgressMonitor& monitor);

/// Adds the tags file next to the model, if there is one. Call from a background job.
[[nodiscard]] OpenedModel withTagsBeside(OpenedModel read, const QString& path);

/// Reads the open model again and transfers its current tags, ignoring tags in files. Ops are matched by structure, see
/// TagBasis::transfer; tags that were lost earlier are restored if their ops are back. Keeps rules. `tagsNote` reports restored
/// ops. Call from a background job.
Result<OpenedModel> reopenModel(const QString& path, const QString& program, const SnapshotPtr& before, const TagState& state,
                                const TagBasis& basis, ProgressMonitor& monitor);

/// Replaces the tags of a model by those of a transfer, adds its report, and restores `lost` tags whose ops are back. A note
/// reports the restored ops.
Result<void> takeOver(OpenedModel& opened, const TagTransferPtr& transfer, const std::vector<OldTagsPtr>& lost,
                      ProgressMonitor& monitor);

/// Reads a tags file, or the tags of a project, for this model. Refused if the model has none of the named nodes.
Result<LoadedTags> loadTagsFile(const QString& path, const Snapshot& snapshot);

/// Writes the tags with their custom colors.
Result<void> saveTagsFile(const QString& path, const Snapshot& snapshot, const TagState& state);

/// Returns the default tags file of a model: "model.pt2" → "model.tags.json".
QString tagsPathBeside(const QString& modelPath);

} // namespace sunder
