#pragma once

#include <QString>

namespace sunder {

/// A folder of that name in the person's cache folder, made where it is not there yet.
[[nodiscard]] QString cacheFolder(const QString& name);

} // namespace sunder
