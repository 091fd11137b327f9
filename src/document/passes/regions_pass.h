#pragma once

#include "document/passes/pass.h"
#include "passes/regions/find_regions.h"

namespace sunder {

/// Options of a search for repeated regions, shared or not, from and as plain values.
[[nodiscard]] RegionOptions regionOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const RegionOptions& options);

} // namespace sunder
