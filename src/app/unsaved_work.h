#pragma once

#include "document/open_project.h"
#include "support/file_lock.h"

#include <QString>

#include <vector>

namespace sunder {

/// What an earlier session left that could not save it any more. Held: no other start offers it at the same time.
struct UnsavedWork {
    QString path;
    FileLock lock;
    ProjectFile file;
    UnsavedOrigin origin;
};

/// All in that folder whose session is not alive, the newest first. What is damaged is left where it is. O(their sizes).
[[nodiscard]] std::vector<UnsavedWork> unsavedWorkIn(const QString& folder);

/// "decoder32.pt2 (project.sunder), 24 Nov 10:31: 3 tags on 120 ops, 2 devices."
[[nodiscard]] QString describe(const UnsavedWork& work);

} // namespace sunder
