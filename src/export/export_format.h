#pragma once

#include "analysis/schedule/planned_schedule.h"
#include "analysis/snapshot.h"
#include "canvas/picture_export.h"
#include "document/runs/run.h"
#include "document/tag_state.h"
#include "io/pt2/pt2_schema.h"
#include "layout/picture/picture_request.h"
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
    std::shared_ptr<const PlannedSchedule> schedule = {}; ///< of the timeline; null if it shows none
    PictureRequest pictureRequest = {}; ///< of `picture`, for its contents in a web page
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

/// Input that a format needs in addition to a path.
enum class ExportAsking : quint8 {
    nothing,
    program, ///< program: the model or the result of a run
    picture, ///< picture, area, and size
    parts,   ///< file format of the parts
};

/// A file type of a format, selected by the suffix of the path.
struct ExportVariant {
    QString title;  ///< "SVG, sharp at any size"
    QString suffix; ///< ".svg"
};

/// Something that can be exported as a file or folder. A plain value: the export dialog, its list, refusals, and writing are
/// derived from the table exportFormats().
struct ExportFormat {
    QString id;     ///< "parts"
    QString icon;   ///< for themedIcon()
    QString title;  ///< "Parts that run"
    QString what;   ///< description of one or two sentences
    QString ending; ///< suffix of the proposed file name, after the model's name: "-split.fxj"
    QString filter = {}; ///< for a file dialog; empty for a folder

    std::optional<ResultKind> of = {}; ///< kind of result that it exports; none for the model
    QString without = {};              ///< advice if there is no such result, as a sentence
    bool isListedWithout = false;      ///< listed without such a result, too
    /// Returns whether it applies to a result; null if to all of its kind.
    bool (*isIn)(const Outcome& result) = nullptr;

    ExportAsking asking = ExportAsking::nothing;
    std::vector<ExportVariant> variants = {}; ///< empty if there is only one
    bool isOfSchedule = false; ///< exports the schedule of the timeline; listed if there is one
    bool isPt2 = false; ///< writes one or several .pt2 files for an exported program

    /// Returns why it cannot be written, as a sentence with advice; empty if it can. Null if it always can.
    QString (*refusal)(const ExportRequest& request) = nullptr;
    /// Estimates the size on disk in bytes, in a background job before writing. Null if it is small.
    Result<std::uint64_t> (*size)(const ExportRequest& request) = nullptr;
    /// Writes to a temporary path, reads the result back, compares it, and moves it to its path: all or nothing. The note of the
    /// result describes the check.
    Result<ExportedFiles> (*write)(const ExportRequest& request, ProgressMonitor& monitor);

    /// Returns whether these results include one to export.
    [[nodiscard]] bool isThere(std::span<const RunResult> results) const;
};

/// Returns all formats in list order: those of results by kind, then those of the model.
const std::vector<ExportFormat>& exportFormats();

/// Returns the format with this id, which must exist.
const ExportFormat& exportFormat(const QString& id);

} // namespace sunder
