#pragma once

#include "analysis/snapshot.h"
#include "document/tag_state.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

namespace sunder {

/// Files of the open model that other programs may change.
enum class WatchedFile : std::uint8_t { model, tags };

/// Differences between a file on disk and the open document, as text: a summary, then details.
struct DiskComparison {
    QString summary;
    QString details;
};

/// Reads the file again and compares computation and weights with the open model. If the file was overwritten in place, compares
/// weights by the CRCs recorded when it was read. Call from a background job.
Result<DiskComparison> compareModelWithDisk(const SnapshotPtr& open, const QString& path, const QString& program,
                                            ProgressMonitor& monitor);

/// Returns which nodes have other tags in the file.
Result<DiskComparison> compareTagsWithDisk(const SnapshotPtr& open, const TagState& state, const QString& path);

} // namespace sunder
