#pragma once

#include "cli/command.h"
#include "passes/regions/find_regions.h"

namespace sunder::cli {

/// Adds --key and --as-upstream.
void declareRegionOptions(QCommandLineParser& parser);

/// What they ask for; refuses a key that there is not.
Result<RegionOptions> regionOptionsOf(const Invocation& invocation);

} // namespace sunder::cli
