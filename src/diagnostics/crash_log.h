#pragma once

#include <QString>

#include <optional>

namespace sunder {

/// Returns the path of the editor's crash log, in the user's cache folder.
QString crashLogPath();

/// Installs crash handlers that append a report to `path` on a fatal signal, abort(), or an uncaught exception. A report holds a
/// line with the time and cause, then `facts` (one per line), the recent log lines, and the call stack. The process then ends as
/// it would have without the handlers. Creates the folder. Once the file has reached one megabyte, later crashes are not written.
/// Call once per process.
void writeCrashesTo(const QString& path, const QString& facts);

/// Crash reports that the user has not seen yet.
struct CrashReports {
    QString last; ///< first line of the newest report
    QString text; ///< all of them, oldest first
};

/// Returns nothing if there was no crash or the file cannot be read.
std::optional<CrashReports> unseenCrashes(const QString& path);

/// Moves the log to `path`.seen, replacing an older file. Returns false on failure.
bool markCrashesSeen(const QString& path);

} // namespace sunder
