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
    std::string compute = {};   ///< "TFLOPS"
    friend bool operator==(const DeviceUnits&, const DeviceUnits&) = default;
};

/// Devices as they stand in rows, and what the rows leave open.
struct DeviceRows {
    std::vector<Device> devices;
    /// The largest memory without a unit, 0 where all have one: taken for bytes, which is to be asked about before they are used.
    double memoryWithoutUnit = 0;
    double bandwidthWithoutUnit = 0; ///< likewise, for bytes a second
    double computeWithoutUnit = 0; ///< likewise, for operations a second
    std::vector<std::string> passedOver = {}; ///< headings that say nothing of a device
    [[nodiscard]] bool isUnclear() const { return memoryWithoutUnit > 0 || bandwidthWithoutUnit > 0 || computeWithoutUnit > 0; }
};

/// Devices from rows as one copies them out of a spreadsheet or writes them down. Cells are parted by tabs; where there is no tab,
/// by semicolons; where there is none either, by commas, but for those in quotes. A first row of headings says which column is
/// what, in any order and in which unit (device_columns.h): "Accelerator, Interconnect (GB/s), HBM3 (GiB), FP16 TFLOPS"; a row of
/// units may follow. Other columns are passed over; a count makes as many of a row. Without headings the cells are name, memory
/// and, where there are more, speed and bandwidth ("cuda:0\t16 GB\t1.5\t900 GB/s"). A unit in a cell counts more than that of its
/// heading, which counts more than `units`; 0 needs none. "80,5" has a decimal (withDecimalPoint()). Empty rows are passed
/// over. Refuses, naming row and cell, what cannot be read, headings without a memory, and a text without a device. O(length). At
/// most 100,000 devices.
Result<DeviceRows> parseDeviceRows(std::string_view text, const DeviceUnits& units = {});

/// A figure of a device as a person writes it, "80,5 GB", with a point for its decimals: "80.5 GB". A comma before other than three
/// digits, or behind a 0, groups none. Other commas stay.
std::string withDecimalPoint(std::string_view figure);

/// The unit that figures most likely have whose largest this is: "GB" for 80, "MB" for 81920, "B" for 85899345920.
std::string_view likelyUnit(double largest);

/// The rows of devices, parted by tabs, as parseDeviceRows() reads them: with headings where they say more than it knows by place.
std::string deviceRowsText(const std::vector<Device>& devices);

} // namespace sunder
