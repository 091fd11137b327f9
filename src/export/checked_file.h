#pragma once

#include "support/result.h"

#include <QString>

#include <functional>
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

} // namespace sunder
