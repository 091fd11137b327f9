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

/// All that an export needs, by value: it runs beside the window.
struct ExportRequest {
    QString format; ///< id of an ExportFormat
    QString path;   ///< a folder for parts, else a file; its suffix says which variant of the format
    SnapshotPtr source = {};
    TagState tags = {};
    std::vector<RunResult> results = {};  ///< that are shown, at most one of a kind
    std::optional<ResultKind> drawn = {}; ///< whose program, for a format that asks; none: the model
    std::shared_ptr<const Picture> picture = {};
    std::shared_ptr<const Drawing> drawing = {}; ///< instead of it
    PictureStyle style = {};
    PictureExportOptions pictureOptions = {};
    std::optional<Pt2Schema> target = {}; ///< the release of PyTorch that is to read a .pt2; none: that of the model
    PartFormat partFormat = PartFormat::asSource; ///< for a format that asks

    /// The result of that kind (`SplitOutcomePtr`); null when it is not there.
    template <typename T>
    [[nodiscard]] T result() const
    {
        for (const RunResult& one : results)
            if (T found = as<T>(one))
                return found;
        return nullptr;
    }
};

/// What was written.
struct ExportedFiles {
    QString folder;
    QStringList files; ///< paths, absolute
    QString note;      ///< how it was checked, as a sentence
    QString command = {}; ///< for a shell: runs what was written; empty where nothing does
};

/// Writes it and checks it by reading it back. All or nothing; errors name the file.
Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor);

/// Why that cannot be exported, as a sentence with what to do; empty when it can.
QString refusalOf(const ExportRequest& request);

/// What was written as the one file of a request, once it is known how it was checked.
Result<ExportedFiles> oneFile(const ExportRequest& request, const Result<QString>& note);

} // namespace sunder
