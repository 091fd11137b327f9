#pragma once

#include "document/document.h"

#include <QString>

namespace sunder {

/// The program and the file, with a place for the mark of what is not saved. `isAwaited`: somebody waits for the tags.
[[nodiscard]] QString windowTitleOf(const Document& document, bool isAwaited = false);

} // namespace sunder
