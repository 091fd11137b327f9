#pragma once

#include "analysis/snapshot.h"
#include "canvas/picture_export.h"
#include "document/runs/run.h"
#include "document/tag_state.h"

#include "io/pt2/pt2_schema.h"
#include "parts/export_parts.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

/// Input of an export, by value, since it runs in a background job.
struct ExportRequest {
    QString format; ///< id of an ExportFormat
    QString path;   ///< a folder for parts, else a file; its suffix selects the variant of the format
    SnapshotPtr source = {};
    TagState tags = {};
    std::vector<RunResult> results = {};  ///< shown results, at most one per kind
    std::optional<ResultKind> drawn = {}; ///< result whose program to export, for formats that ask; none: the model
    std::shared_ptr<const Picture> picture = {};
    std::shared_ptr<const Drawing> drawing = {}; ///< used instead of `picture`
    PictureStyle style = {};
    PictureExportOptions pictureOptions = {};
    std::optional<Pt2Schema> target = {}; ///< PyTorch release that has to read a .pt2; none: that of the model
    PartFormat partFormat = PartFormat::asSource; ///< for formats that ask

    /// Returns the result of this kind (e.g. `SplitOutcomePtr`), or null.
    template <typename T>
    [[nodiscard]] T result() const
    {
        for (const RunResult& one : results)
            if (T found = as<T>(one))
                return found;
        return nullptr;
    }
};

/// Result of an export.
struct ExportedFiles {
    QString folder;
    QStringList files; ///< absolute paths
    QString note;      ///< description of the check, as a sentence
    QString command = {}; ///< shell command that runs the exported files; empty if there is none
};

/// Writes an export and checks it by reading it back. All or nothing; errors name the file.
Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor);

/// Returns why the request cannot be exported, as a sentence with advice; empty if it can.
QString refusalOf(const ExportRequest& request);

/// Returns the result of a request that writes one file. `note` describes the check.
Result<ExportedFiles> oneFile(const ExportRequest& request, const Result<QString>& note);

} // namespace sunder
