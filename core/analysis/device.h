#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// An accelerator that partitions are assigned to.
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

/// Returns whether both lists lead to the same partitioning: the same number of devices in the same order, with equal ids and
/// memory. Partitioners read nothing else. Names and colors are for display, and no method uses the speed or bandwidth of a
/// device (methods that estimate time have their own bandwidth setting).
[[nodiscard]] bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b);

/// Updates names and colors of stored devices from `now`: a device with the same id and memory is the same device, renamed or
/// recolored since.
[[nodiscard]] std::vector<Device> asCalledNow(std::vector<Device> devices, const std::vector<Device>& now);

/// Replaces ids that are negative or used by an earlier device by free ones. Partitions refer to devices by id.
void makeIdsUnique(std::vector<Device>& devices);

/// Returns the name for messages: `device "npu0"`, or `device 3` for a device without a name.
inline std::string describe(const Device& device)
{
    return "device " + (device.name.empty() ? std::to_string(device.logicalId) : '"' + device.name + '"');
}

} // namespace sunder
