#pragma once

#include <QString>

namespace sunder {

/// Returns a folder in the user's cache folder, creating it if needed.
[[nodiscard]] QString cacheFolder(const QString& name);

} // namespace sunder
