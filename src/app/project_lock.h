#pragma once

#include "support/file_lock.h"

#include <QString>

#include <optional>

namespace sunder {

/// Which project this window has open, so that another window, in this process or another, is told.
class ProjectLock final {
public:
    /// Holds this project, and lets go of the one before; an empty path holds none. False where another window holds it: then the one
    /// before stays. Where no lock can be made at all nobody is kept from anything.
    [[nodiscard]] bool hold(const QString& project);
    /// Since when another window has it open, a time of the day; empty where nobody does.
    [[nodiscard]] static QString openSince(const QString& project);

private:
    QString m_project;
    std::optional<FileLock> m_lock;
};

} // namespace sunder
