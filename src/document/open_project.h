#pragma once

#include "document/open_model.h"

#include "io/side_files/project_source.h"

namespace sunder {

/// What belongs to a project that was kept because it could not be saved.
struct UnsavedOrigin {
    QString project; ///< that it belongs to; empty: none yet
    QString when;    ///< ISO 8601
};

/// A project as it was read, with its model.
struct OpenedProject {
    OpenedModel opened;                         ///< without a snapshot where the model is missing
    ProjectFile file = {};
    QString model = {};                         ///< path of the model; empty: not found
    std::optional<SourceChange> change = {};    ///< since the project was saved
    std::optional<UnsavedOrigin> unsaved = {}; ///< it is a copy that an earlier session left
    std::optional<PreparedModel> recovered =
        {}; ///< what that copy has; `opened` is then as it was saved, or opened without a project
};

/// Reads a project and its model, for a background job. `modelInstead`: where the model lies, if the project does not know; empty:
/// where it says. Where
/// its graph has changed, ops keep their tags by what they are, as TagBasis::transfer says; by name only where the project does not
/// say what they were.
Result<OpenedProject> openProject(const QString& path, const QString& modelInstead,
                                  std::shared_ptr<const OperatorLibrary> operators, ProgressMonitor& monitor);

/// In `ProjectFile::extra` of what was not saved.
[[nodiscard]] std::string extraOfUnsaved(const ProjectFile& project, const UnsavedOrigin& origin);
[[nodiscard]] std::optional<UnsavedOrigin> unsavedOriginOf(const ProjectFile& project);
/// Without that.
[[nodiscard]] std::string extraWithoutUnsaved(const ProjectFile& project);

/// Where a project is saved unless told otherwise: "model.pt2" → "model.sunder".
[[nodiscard]] QString projectPathBeside(const QString& modelPath);
[[nodiscard]] inline bool isProject(const QString& path)
{
    return isProjectPath(path.toStdString());
}

} // namespace sunder
