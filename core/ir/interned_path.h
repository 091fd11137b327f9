#pragma once

#include "support/interned_string.h"

namespace sunder {

/// Returns joinPath() as an interned string, without a heap allocation for paths of usual length.
InternedString internPath(std::string_view prefix, std::string_view name);

} // namespace sunder
