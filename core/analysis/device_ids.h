#pragma once

#include "analysis/device.h"

#include <vector>

namespace sunder {

/// Replaces ids that are negative or used by an earlier device by free ones. Partitions refer to devices by id.
void makeIdsUnique(std::vector<Device>& devices);

} // namespace sunder
