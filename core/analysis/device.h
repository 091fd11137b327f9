#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sunder {

/// An accelerator that partitions are put on.
struct Device {
    std::string name;
    double availableBytes = 0;    ///< memory; files may give fractions
    std::int64_t logicalId = 0;   ///< what partitions name it by; unique among the devices
    std::optional<double> speed = {};                   ///< as times another device; greater is faster
    std::optional<double> bandwidthBytesPerSecond = {}; ///< to the other devices, one way
    std::optional<double> memoryBytesPerSecond = {};    ///< between its memory and its arithmetic
    std::optional<double> flopsPerSecond = {};          ///< at most, of 16-bit floats, none taken for sparse
    std::string source = {};      ///< who says these figures, for people
    std::string color = {};       ///< "#88ccee", or empty: one of the theme's
    std::string extra = {};       ///< what else a file says of it, as a raw JSON object; empty when nothing
    friend bool operator==(const Device&, const Device&) = default;
};

/// What messages call it: `device "npu0"`, or `device 3` when it has no name.
inline std::string describe(const Device& device)
{
    return "device " + (device.name.empty() ? std::to_string(device.logicalId) : '"' + device.name + '"');
}

} // namespace sunder
