#pragma once

#include <QString>

#include <optional>

namespace sunder {

/// Where crashes of the editor are written: in the person's cache folder.
QString crashLogPath();

/// From now on a crash (a fatal signal, abort(), an exception that nobody catches) appends a report to `path`: a line that says
/// when and why, then `facts` (a line each), the recent lines of the log and the calls that led there; then the process ends as
/// it would have. Makes the folder. The file stays below about a megabyte: later crashes are then left out. Once a process.
void writeCrashesTo(const QString& path, const QString& facts);

/// What a log of crashes holds that nobody has seen.
struct CrashReports {
    QString last; ///< first line of the newest report
    QString text; ///< all of them, oldest first
};

/// Nothing where there was no crash, or the file cannot be read.
std::optional<CrashReports> unseenCrashes(const QString& path);

/// What is in the log moves to `path`.seen, in place of what is there. False when it cannot.
bool markCrashesSeen(const QString& path);

} // namespace sunder
