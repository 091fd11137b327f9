#pragma once

#include "export/export_request.h"

#include <vector>

namespace sunder {

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
