#pragma once

#include <QLoggingCategory>
#include <array>
#include <cstddef>
#include <mutex>
#include <string_view>

namespace sunder {

/// The last log lines, in memory that a signal handler can read.
class RecentLines {
public:
    static constexpr std::size_t kLines = 48;
    static constexpr std::size_t kLength = 240; ///< bytes; longer lines are cut at a character boundary

    /// Adds a line. Thread-safe. Line breaks become spaces.
    void add(std::string_view line);

    /// Writes the lines to a file descriptor, oldest first, indented. Safe in a signal handler: takes no lock and allocates no
    /// memory. A line that is added at the same time may be garbled.
    void writeTo(int descriptor) const;

private:
    struct Line {
        std::array<char, kLength> text{};
        std::size_t length = 0;
    };
    std::array<Line, kLines> m_lines;
    std::size_t m_added = 0;
    std::mutex m_mutex;
};

/// Returns the lines of this process.
RecentLines& recentLines();

// Log categories for bug reports, one line per step. Lines of level "info" are kept for the crash log and printed if
// QT_LOGGING_RULES is set ("sunder.*=true" prints all). They contain no model content except file names.
Q_DECLARE_LOGGING_CATEGORY(logFiles) ///< sunder.files: opened, reloaded, written
Q_DECLARE_LOGGING_CATEGORY(logJobs) ///< sunder.jobs: started, ended, failed
Q_DECLARE_LOGGING_CATEGORY(logRuns) ///< sunder.runs: results of passes, with their verdicts
Q_DECLARE_LOGGING_CATEGORY(logWindow) ///< sunder.window: start, end

/// Installs a message handler that also passes messages to recentLines(). Debug and info messages of sunder.* are printed only if
/// the environment sets logging rules; all others are printed as by Qt.
void keepRecentLines();

} // namespace sunder
