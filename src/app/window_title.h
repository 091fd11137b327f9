#pragma once

#include "document/document.h"

#include <QString>

namespace sunder {

/// Returns the window title with a placeholder for the modified marker. `isAwaited`: a script waits for the tags.
[[nodiscard]] QString windowTitleOf(const Document& document, bool isAwaited = false);

} // namespace sunder
