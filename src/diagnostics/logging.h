#pragma once

#include <QLoggingCategory>

namespace sunder {

// Log categories for bug reports, one line per step. Lines of level "info" are kept for the crash log and printed if
// QT_LOGGING_RULES is set ("sunder.*=true" prints all). They contain no model content except file names.
Q_DECLARE_LOGGING_CATEGORY(logFiles)  ///< sunder.files: opened, reloaded, written
Q_DECLARE_LOGGING_CATEGORY(logJobs)   ///< sunder.jobs: started, ended, failed
Q_DECLARE_LOGGING_CATEGORY(logRuns)   ///< sunder.runs: results of passes, with their verdicts
Q_DECLARE_LOGGING_CATEGORY(logWindow) ///< sunder.window: start, end

/// Installs a message handler that also passes messages to recentLines(). Debug and info messages of sunder.* are printed only if
/// the environment sets logging rules; all others are printed as by Qt.
void keepRecentLines();

} // namespace sunder
