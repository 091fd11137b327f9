#pragma once

#include <QString>

namespace sunder {

/// Returns the absolute path for a path typed by the user. "~" is the home folder, as in a shell. A relative path is resolved
/// against the working directory. Surrounding blanks are ignored.
QString typedPath(const QString& typed);

} // namespace sunder
