#pragma once

#include "support/result.h"

#include <QString>

#include <functional>

namespace sunder {

/// Lets `write` make a file in a folder beside its place, `check` look at it there, and then moves it to its place. When
/// any of these fails the place is as it was; the error names the place.
Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check);

} // namespace sunder
