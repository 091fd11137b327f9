#pragma once

#include "support/result.h"

#include <QString>

#include <string_view>

namespace sunder {

/// Writes a text, reads it back, and compares every byte. On any failure, the path is unchanged.
Result<void> writeTextChecked(const QString& path, std::string_view text);
/// Does the same, and checks that the text is JSON.
Result<void> writeJsonChecked(const QString& path, std::string_view json);

} // namespace sunder
