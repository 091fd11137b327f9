#pragma once

#include "analysis/partitioner_config.h"

#include <vector>

namespace sunder {

/// How the model is to be cut over devices: method, options and devices, as the form asks for them.
struct PartitionRequest {
    bool is2020 = false; ///< the size-based partitioner of 2020 instead of today's modes
    bool asUpstream = false; ///< keeps torch's faults: `--exact-2020`, `--as-upstream`
    PartitionerConfig config = {}; ///< of today's; the one of 2020 takes its devices alone

    [[nodiscard]] const std::vector<Device>& devices() const { return config.devices; }
};

} // namespace sunder
