#pragma once

#include "canvas/picture_export.h"
#include "document/snapshot.h"
#include "document/runs/split_outcome.h"
#include "document/tag_state.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <QStringList>

#include <memory>

namespace sunder {

enum class ExportKind : quint8 {
    parts,   ///< every part as a model of its own, and manifest.json
    graph,   ///< the split program as fx-json
    tags,    ///< TAGS.json
    picture, ///< SVG, PNG or PDF of a graph
};

/// All that an export needs, by value: it runs beside the window.
struct ExportRequest {
    ExportKind kind = ExportKind::parts;
    QString path; ///< a folder for parts, else a file
    SnapshotPtr source = {};
    SplitOutcomePtr outcome = {};
    TagState tags = {};
    std::shared_ptr<const Picture> picture = {};
    PictureStyle style = {};
    PictureExportOptions pictureOptions = {};
};

/// What was written.
struct ExportedFiles {
    QString folder;
    QStringList files; ///< paths, absolute
    QString note;      ///< how it was checked, as a sentence
};

/// Writes it and checks it by reading it back. All or nothing; errors name the file.
Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor);

/// Why the parts of this outcome must not be exported, with the two nodes named; empty when they may.
QString refusalOfParts(const SplitOutcome& outcome);

} // namespace sunder
