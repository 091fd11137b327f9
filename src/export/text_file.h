#pragma once

#include "support/result.h"

#include <QString>

#include <string_view>

namespace sunder {

/// Writes a text and reads it back: every byte must be there. Otherwise, and on every other failure, the place is as it was.
Result<void> writeTextChecked(const QString& path, std::string_view text);
/// The same, and it must be JSON.
Result<void> writeJsonChecked(const QString& path, std::string_view json);

} // namespace sunder
