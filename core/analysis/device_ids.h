#pragma once

#include "analysis/device.h"

#include <vector>

namespace sunder {

/// Partitions name devices by their ids: one that another device has already, or that is negative, becomes a free one.
void makeIdsUnique(std::vector<Device>& devices);

} // namespace sunder
