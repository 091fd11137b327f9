#pragma once

#include "io/side_files/project_file.h"
#include "support/file.h"

#include <QString>

#include <vector>

namespace sunder {

/// Unsaved work of an earlier session. Holds a lock, so that no other process offers it at the same time.
struct UnsavedWork {
    QString path;
    FileLock lock;
    ProjectFile file;
};

/// Returns the work of ended sessions in this folder, newest first. Skips damaged files. O(total size).
[[nodiscard]] std::vector<UnsavedWork> unsavedWorkIn(const QString& folder);

/// Returns a summary: "decoder32.pt2 (project.sunder), 24 Nov 10:31: 3 tags on 120 ops, 2 devices."
[[nodiscard]] QString describe(const UnsavedWork& work);

} // namespace sunder
