#pragma once

#include "analysis/device.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// In which unit figures are that stand without one: "GB", "MiB", "B". Empty: nobody has said.
struct DeviceUnits {
    std::string memory = {};
    std::string bandwidth = {}; ///< a second
    friend bool operator==(const DeviceUnits&, const DeviceUnits&) = default;
};

/// Devices as they stand in rows, and what the rows leave open.
struct DeviceRows {
    std::vector<Device> devices;
    /// The largest memory without a unit, 0 where all have one: taken for bytes, which is to be asked about before they are used.
    double memoryWithoutUnit = 0;
    double bandwidthWithoutUnit = 0; ///< likewise, for bytes a second
    [[nodiscard]] bool isUnclear() const { return memoryWithoutUnit > 0 || bandwidthWithoutUnit > 0; }
};

/// Devices from rows as one copies them out of a spreadsheet or writes them down. Cells are parted by tabs; where there is no tab,
/// by semicolons; where there is none either, by commas. A first row of headings says which column is what, in any order and in
/// which unit: "Accelerator, Interconnect (GB/s), Memory (GiB)"; columns that are none of name, memory, speed and bandwidth are
/// passed over. Without headings the cells are name, memory and, where there are more, speed and bandwidth
/// ("cuda:0\t16 GB\t1.5\t900 GB/s"). A unit in a cell counts more than that of its heading, which counts more than `units`; 0 needs
/// none. Empty rows are passed over. Refuses, naming row and cell, what cannot be read, headings without a memory, and a text
/// without a device. O(length). At most 100,000 rows.
Result<DeviceRows> parseDeviceRows(std::string_view text, const DeviceUnits& units = {});

/// The unit that figures most likely have whose largest this is: "GB" for 80, "MB" for 81920, "B" for 85899345920.
std::string_view likelyUnit(double largest);

/// The rows of devices, parted by tabs, as parseDeviceRows() reads them.
std::string deviceRowsText(const std::vector<Device>& devices);

} // namespace sunder
