#pragma once

#include "analysis/device.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The units of figures without a unit: "GB", "MiB", "B". Empty: not specified.
struct DeviceUnits {
    std::string memory = {};
    std::string bandwidth = {}; ///< per second
    std::string compute = {};   ///< "TFLOPS"
    friend bool operator==(const DeviceUnits&, const DeviceUnits&) = default;
};

/// Devices parsed from rows, and figures that need clarification.
struct DeviceRows {
    std::vector<Device> devices;
    /// The largest memory figure without a unit; 0 if all have one. Such figures are read as bytes; the user must be asked before
    /// they are used.
    double memoryWithoutUnit = 0;
    double bandwidthWithoutUnit = 0; ///< likewise, read as bytes per second
    double computeWithoutUnit = 0; ///< likewise, read as operations per second
    std::vector<std::string> passedOver = {}; ///< headings of ignored columns
    [[nodiscard]] bool isUnclear() const { return memoryWithoutUnit > 0 || bandwidthWithoutUnit > 0 || computeWithoutUnit > 0; }
};

/// Parses devices from rows that are copied from a spreadsheet or typed. Cells are separated by tabs; without tabs, by
/// semicolons; otherwise by commas outside quotes.
///
/// A first row of headings names the columns, in any order and with any unit (device_columns.h): "Accelerator, Interconnect
/// (GB/s), HBM3 (GiB), FP16 TFLOPS". A row of units may follow. Other columns are ignored; a count repeats its row. Without
/// headings, the cells are name, memory and optionally speed and bandwidth ("cuda:0\t16 GB\t1.5\t900 GB/s").
///
/// The unit of a cell takes precedence over that of its heading, which takes precedence over `units`; 0 needs no unit. "80,5" is
/// a decimal (withDecimalPoint()). Empty rows are ignored. Errors for unreadable cells name the row and the cell. Refuses
/// headings without a memory column, text without devices, and more than 100,000 devices. O(length).
Result<DeviceRows> parseDeviceRows(std::string_view text, const DeviceUnits& units = {});

/// Converts the decimal comma of a figure to a point: "80.5 GB" for "80,5 GB". A comma counts as decimal unless exactly three
/// digits follow it and the number before it is not 0. Other commas stay.
std::string withDecimalPoint(std::string_view figure);

/// Guesses the unit of figures from the largest of them: "GB" for 80, "MB" for 81920, "B" for 85899345920.
std::string_view likelyUnit(double largest);

/// Formats devices as tab-separated rows for parseDeviceRows(), with headings if there are more fields than those known by
/// position. Links and other keys of DEVICES.json are left out.
std::string deviceRowsText(const std::vector<Device>& devices);

} // namespace sunder
