#pragma once

#include <cstdint>
#include <string>

namespace sunder {

/// An accelerator that partitions are put on.
struct Device {
    std::string name;
    double availableBytes = 0;    ///< memory; files may give fractions
    std::int64_t logicalId = 0;   ///< what partitions name it by; unique among the devices
};

/// What messages call it: `device "npu0"`, or `device 3` when it has no name.
inline std::string describe(const Device& device)
{
    return "device " + (device.name.empty() ? std::to_string(device.logicalId) : '"' + device.name + '"');
}

} // namespace sunder
