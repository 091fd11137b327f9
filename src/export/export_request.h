#pragma once

#include "canvas/picture_export.h"
#include "document/runs/run.h"
#include "document/snapshot.h"
#include "document/tag_state.h"
#include "export/export_kind.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <QStringList>

#include <memory>

namespace sunder {

/// The programs that a drawing for other viewers can be of.
enum class DrawnProgram : quint8 { model, cut, unflattened, deduplicated };

/// All that an export needs, by value: it runs beside the window.
struct ExportRequest {
    ExportKind kind = ExportKind::parts;
    QString path; ///< a folder for parts, else a file; its suffix says the format of drawings and pictures
    SnapshotPtr source = {};
    TagState tags = {};
    SplitOutcomePtr outcome = {};
    UnflattenOutcomePtr unflattened = {};
    RegionsOutcomePtr regions = {};
    DrawnProgram drawn = DrawnProgram::model;
    std::shared_ptr<const Picture> picture = {};
    std::shared_ptr<const Drawing> drawing = {}; ///< instead of it
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

/// Why that cannot be exported, as a sentence with what to do; empty when it can.
QString refusalOf(const ExportRequest& request);

/// Why the parts of this outcome must not be exported, with the two nodes named; empty when they may.
QString refusalOfParts(const SplitOutcome& outcome);

} // namespace sunder
