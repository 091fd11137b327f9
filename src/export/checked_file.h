#pragma once

#include "support/result.h"

#include <QString>

#include <functional>
#include <vector>

namespace sunder {

/// A file, how it is made, and what looks at it before it is in its place.
struct CheckedFile {
    QString path;
    std::function<Result<void>(const QString&)> write;
    std::function<Result<void>(const QString&)> check;
};

/// Makes and checks all of them in folders beside their places, then moves them there: all or none. An error names the place
/// of its file.
Result<void> writeChecked(const std::vector<CheckedFile>& files);

/// Lets `write` make a file in a folder beside its place, `check` look at it there, and then moves it to its place. When
/// any of these fails the place is as it was; the error names the place.
Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check);

} // namespace sunder
