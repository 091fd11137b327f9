#pragma once

#include "analysis/snapshot.h"
#include "document/tag_state.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

namespace sunder {

/// The files of the open model that somebody else may change.
enum class WatchedFile : std::uint8_t { model, tags };

/// How a file on disk differs from what is open, in words: first whether, then what.
struct DiskComparison {
    QString summary;
    QString details;
};

/// Reads the file again and compares: does it compute the same, with the same weights? Where what is open was overwritten
/// itself, its weights are told apart by the CRCs that were noted when it was read. For a background job.
Result<DiskComparison> compareModelWithDisk(const SnapshotPtr& open, const QString& path, const QString& program,
                                            ProgressMonitor& monitor);

/// Which nodes have other tags in the file.
Result<DiskComparison> compareTagsWithDisk(const SnapshotPtr& open, const TagState& state, const QString& path);

} // namespace sunder
