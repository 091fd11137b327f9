#pragma once

#include "export/export_request.h"

#include <vector>

namespace sunder {

/// What a format has to be told besides its place.
enum class ExportAsking : quint8 {
    nothing,
    program, ///< of which program: the model, or what a run made
    picture, ///< which picture, which part of it and how large
    parts,   ///< what files parts become
};

/// One of the files that a format can be, chosen by the ending of its path.
struct ExportVariant {
    QString title;  ///< "SVG, sharp at any size"
    QString suffix; ///< ".svg"
};

/// Something that can leave the program as a file or a folder. A plain value: the export dialog, its list, what is refused and
/// what is written follow from the table exportFormats().
struct ExportFormat {
    QString id;     ///< "parts"
    QString icon;   ///< for themedIcon()
    QString title;  ///< "Parts that run"
    QString what;   ///< one plain sentence or two
    QString ending; ///< behind the model's name in the proposed path: "-split.fxj"
    QString filter = {}; ///< of a file dialog; empty: a folder

    std::optional<ResultKind> of = {}; ///< the kind of result that it is made of; none: of the model
    QString without = {};              ///< where there is no such result: a sentence with what to do
    bool isListedWithout = false;      ///< in the list even then
    /// Whether a result has it; null: every one.
    bool (*isIn)(const Outcome& result) = nullptr;

    ExportAsking asking = ExportAsking::nothing;
    std::vector<ExportVariant> variants = {}; ///< none: the path alone says it
    bool isPt2 = false; ///< of an exported program it is a .pt2, or several

    /// Why it cannot be written, as a sentence with what to do; empty when it can. Null: it always can.
    QString (*refusal)(const ExportRequest& request) = nullptr;
    /// About how many bytes it takes on the disk, asked beside the window before they are written. Null: few.
    Result<std::uint64_t> (*size)(const ExportRequest& request) = nullptr;
    /// Writes it beside its place, reads it back, compares, and moves it there: all or nothing. What comes back is a sentence
    /// about the check.
    Result<ExportedFiles> (*write)(const ExportRequest& request, ProgressMonitor& monitor);

    /// Whether these results have what it is made of.
    [[nodiscard]] bool isThere(std::span<const RunResult> results) const;
};

/// All formats, in the order of the list: those of results by kinds, then those of the model.
const std::vector<ExportFormat>& exportFormats();

/// The one of this id, which has to be there.
const ExportFormat& exportFormat(const QString& id);

} // namespace sunder
