#pragma once

#include "document/document.h"

#include <QString>

namespace sunder {

/// The program and the file, with a place for the mark of what is not saved.
[[nodiscard]] QString windowTitleOf(const Document& document);

} // namespace sunder
