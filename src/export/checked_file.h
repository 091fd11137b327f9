#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A file to write, with functions that write and check it before it is moved to its path.
struct CheckedFile {
    QString path;
    std::function<Result<void>(const QString&)> write;
    std::function<Result<void>(const QString&)> check;
};

/// Writes and checks all files in temporary folders next to their paths, then moves them there: all or none. Errors name the path
/// of the file.
Result<void> writeChecked(const std::vector<CheckedFile>& files);

/// Writes and checks one file in a temporary folder next to its path, then moves it there. If a step fails, the path is
/// unchanged; the error names it.
Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check);

/// Writes a text, reads it back, and compares every byte. On any failure, the path is unchanged.
Result<void> writeTextChecked(const QString& path, std::string_view text);
/// Does the same, and checks that the text is JSON.
Result<void> writeJsonChecked(const QString& path, std::string_view json);

/// A program that was read back, and a note about the check.
struct ReadBack {
    Program program;
    QString note;
};

/// Reads a written program before it is moved to `laterFolder`, and verifies it. Refused if it is not equivalent.
Result<ReadBack> readBack(const Program& program, const QString& path, const std::string& laterFolder, ProgressMonitor& monitor);

/// Writes a program as fx-json, reads it back, and verifies it. Returns a sentence about the check.
Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor);

} // namespace sunder
