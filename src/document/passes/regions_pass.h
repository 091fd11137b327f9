#pragma once

#include "document/passes/pass.h"
#include "passes/regions/find_regions.h"

namespace sunder {

/// Converts between RegionOptions and the plain values of PassOptions.
[[nodiscard]] RegionOptions regionOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const RegionOptions& options);

} // namespace sunder
