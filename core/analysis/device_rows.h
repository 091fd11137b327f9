#pragma once

#include "analysis/device.h"
#include "support/result.h"

#include <string_view>
#include <vector>

namespace sunder {

/// Devices from rows as one copies them out of a spreadsheet or writes them down: name, memory and, where there are
/// more cells, speed and bandwidth ("cuda:0\t16 GB\t1.5\t900 GB/s"). Cells are parted by tabs; where there is no tab,
/// by semicolons; where there is none either, by commas. A first row whose memory is no number is taken for headings;
/// empty rows are passed over. Refuses, naming row and cell, what cannot be read, and a text without a device.
/// O(length). At most 100,000 rows.
Result<std::vector<Device>> parseDeviceRows(std::string_view text);

/// The rows of devices, parted by tabs, as parseDeviceRows() reads them.
std::string deviceRowsText(const std::vector<Device>& devices);

} // namespace sunder
