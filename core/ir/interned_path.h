#pragma once

#include "support/interned_string.h"

namespace sunder {

/// joinPath() as an interned string, without memory of its own for paths of usual length.
InternedString internPath(std::string_view prefix, std::string_view name);

} // namespace sunder
