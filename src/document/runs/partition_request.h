#pragma once

#include "analysis/partition_assignment.h"

#include <vector>

namespace sunder {

/// Input of the partition form: method, options, and devices.
struct PartitionRequest {
    bool is2020 = false; ///< size-based partitioner of 2020 instead of the current modes
    bool asUpstream = false; ///< reproduces PyTorch's bugs: `--exact-2020`, `--as-upstream`
    PartitionerConfig config = {}; ///< of the current partitioner; the one of 2020 uses only its devices

    [[nodiscard]] const std::vector<Device>& devices() const { return config.devices; }
};

} // namespace sunder
