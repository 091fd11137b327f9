#pragma once

#include "cli/command.h"
#include "passes/regions/find_regions.h"

namespace sunder::cli {

/// Adds --key and --as-upstream.
void declareRegionOptions(QCommandLineParser& parser);

/// Parses these options. Refuses an unknown key.
Result<RegionOptions> regionOptionsOf(const Invocation& invocation);

} // namespace sunder::cli
