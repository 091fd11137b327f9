#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sunder {

/// An accelerator to which partitions are assigned.
struct Device {
    std::string name;
    double availableBytes = 0;    ///< memory; may be fractional in files
    std::int64_t logicalId = 0;   ///< the id that partitions refer to; unique among the devices
    std::optional<double> speed = {};                   ///< relative to another device; greater is faster
    std::optional<double> bandwidthBytesPerSecond = {}; ///< to other devices, in one direction
    std::optional<double> memoryBytesPerSecond = {};    ///< memory bandwidth
    std::optional<double> flopsPerSecond = {};          ///< dense peak for 16-bit floats
    std::string source = {};      ///< origin of these figures, for display
    std::string color = {};       ///< "#88ccee"; empty: a color of the theme
    std::string extra = {};       ///< other fields in the file, as a raw JSON object; empty if there are none
    friend bool operator==(const Device&, const Device&) = default;
};

/// Returns the name for messages: `device "npu0"`, or `device 3` for a device without a name.
inline std::string describe(const Device& device)
{
    return "device " + (device.name.empty() ? std::to_string(device.logicalId) : '"' + device.name + '"');
}

} // namespace sunder
