#pragma once

#include "analysis/device.h"

#include <vector>

namespace sunder {

/// Returns whether both lists lead to the same partitioning: the same number of devices in the same order, with equal ids and
/// memory. Partitioners read nothing else. Names and colors are for display, and no method uses the speed or bandwidth of a
/// device (methods that estimate time have their own bandwidth setting).
[[nodiscard]] bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b);

/// Updates names and colors of stored devices from `now`: a device with the same id and memory is the same device, renamed or
/// recolored since.
[[nodiscard]] std::vector<Device> asCalledNow(std::vector<Device> devices, const std::vector<Device>& now);

} // namespace sunder
