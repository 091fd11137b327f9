#pragma once

#include "document/open_model.h"

#include "io/side_files/project_source.h"

namespace sunder {

/// A project as read, with its model.
struct OpenedProject {
    OpenedModel opened;                         ///< without a snapshot if the model is missing
    ProjectFile file = {};                      ///< without `unsaved`
    QString model = {};                         ///< path of the model; empty if not found
    std::optional<SourceChange> change = {};    ///< change of the model since the project was saved
    std::optional<UnsavedOrigin> unsaved = {}; ///< set if this is a copy that an earlier session left
    std::optional<PreparedModel> recovered =
        {}; ///< content of that copy; `opened` then holds the saved state, or the model without a project
};

/// Reads a project and its model. `modelInstead` is the path of the model; empty for the path in the project. If the graph has
/// changed, tags are transferred by op structure, see TagBasis::transfer, or by name if the project does not describe its ops.
/// Call from a background job.
Result<OpenedProject> openProject(const QString& path, const QString& modelInstead,
                                  std::shared_ptr<const OperatorLibrary> operators, ProgressMonitor& monitor);

/// Returns the default project path of a model: "model.pt2" → "model.sunder".
[[nodiscard]] QString projectPathBeside(const QString& modelPath);
[[nodiscard]] inline bool isProject(const QString& path)
{
    return isProjectPath(path.toStdString());
}

} // namespace sunder
