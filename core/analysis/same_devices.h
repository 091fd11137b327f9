#pragma once

#include "analysis/device.h"

#include <vector>

namespace sunder {

/// True when a model is cut for both in the same way: as many, in the same order, with the same ids and memory. That is
/// what partitioners read. Names and colours are for people; no method takes a device's speed or bandwidth (those that
/// reckon time have a bandwidth of their own).
[[nodiscard]] bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b);

/// Devices of an earlier day, called and coloured as `now` has them: one that is in `now` with the same id and memory is
/// the same device, renamed or recoloured since.
[[nodiscard]] std::vector<Device> asCalledNow(std::vector<Device> devices, const std::vector<Device>& now);

} // namespace sunder
