#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sunder {

// Functions for signal handlers: they take no lock and allocate no memory.

/// Writes the whole text to a file descriptor; stops at an error.
void writeSafely(int descriptor, std::string_view text);

/// A number in decimal digits.
class Digits {
public:
    /// `width`: minimum number of digits, padded with leading zeros.
    explicit Digits(std::uint64_t number, int width = 1);
    [[nodiscard]] std::string_view text() const { return {m_text.data() + m_begin, m_text.size() - m_begin}; }

private:
    std::array<char, 24> m_text{};
    std::size_t m_begin;
};

/// Writes seconds since 1970 as "2026-11-23 07:30:12 UTC".
void writeTime(int descriptor, std::int64_t seconds);

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
