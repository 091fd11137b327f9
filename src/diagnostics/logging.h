#pragma once

#include <QLoggingCategory>

namespace sunder {

// What the program did, a line a step, for reports of faults. Lines of level "info" are kept for the crash log and printed where
// QT_LOGGING_RULES is set ("sunder.*=true" prints all); none of them tells what is in a model, but for names of files.
Q_DECLARE_LOGGING_CATEGORY(logFiles)  ///< sunder.files: opened, read again, written
Q_DECLARE_LOGGING_CATEGORY(logJobs)   ///< sunder.jobs: started, ended, failed
Q_DECLARE_LOGGING_CATEGORY(logRuns)   ///< sunder.runs: results of passes, with their verdicts
Q_DECLARE_LOGGING_CATEGORY(logWindow) ///< sunder.window: start, end

/// From now on messages also go to recentLines(). Those of sunder.* that are no warnings are printed only where the environment
/// sets rules of logging; all others are printed as Qt does.
void keepRecentLines();

} // namespace sunder
