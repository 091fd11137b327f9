#pragma once

#include "document/runs/partition_request.h"

namespace sunder {

/// True when a model is cut for both in the same way: as many, in the same order, with the same ids and memory. That is
/// what partitioners read. Names and colours are for people; no method takes a device's speed or bandwidth (those that
/// reckon time have a bandwidth of their own).
[[nodiscard]] bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b);

/// The devices of a request, called and coloured as `now` has them: one that is in `now` with the same id and memory is
/// the same device, renamed or recoloured since.
[[nodiscard]] std::vector<Device> asCalledNow(const PartitionRequest& request, const std::vector<Device>& now);

} // namespace sunder
