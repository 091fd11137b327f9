#pragma once

#include <QString>

namespace sunder {

/// A path as a person types it, absolute: "~" is the home folder, as in a shell; what is not absolute begins where the program was
/// started. Blanks around it do not count.
QString typedPath(const QString& typed);

} // namespace sunder
