#pragma once

#include "support/file_lock.h"

#include <QString>

#include <optional>

namespace sunder {

/// Lock on the open project, so that other windows, also in other processes, can detect it.
class ProjectLock final {
public:
    /// Locks this project and releases the previous one; an empty path only releases. Returns false and keeps the previous lock
    /// if another window holds the project. If lock files cannot be created, succeeds without a lock.
    [[nodiscard]] bool hold(const QString& project);
    /// Returns the time of day when another window opened the project; empty if none did.
    [[nodiscard]] static QString openSince(const QString& project);

private:
    QString m_project;
    std::optional<FileLock> m_lock;
};

} // namespace sunder
