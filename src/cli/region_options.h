#pragma once

#include "cli/command.h"
#include "passes/regions/find_regions.h"

namespace sunder::cli {

/// --key and --as-upstream.
std::span<const CommandOption> regionOptions();

RegionOptions regionOptionsOf(const Invocation& invocation);

} // namespace sunder::cli
