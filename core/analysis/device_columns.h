#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// What a column of a table of devices says.
enum class DeviceField : std::uint8_t { none, name, count, memory, speed, bandwidth, memorySpeed, compute };

/// A column by its heading, or by its place.
struct DeviceColumn {
    DeviceField field = DeviceField::none;
    std::string unit = {}; ///< of figures without one: "GB", "GB/s", "TFLOPS"; empty when nothing says
};

/// Whether a cell can only be a figure: it begins with a digit, whatever sign stands before.
bool isFigureCell(std::string_view cell);

/// What the cells of a first row without figures say of their columns, each field once: by words of the trade ("VRAM", "BW",
/// "HBM3 (GB)", "Memory bandwidth", "FP16 TFLOPS"), else by the unit in it, else the first that means nothing is the name.
/// Figures of other precisions than 16 bits, or that count zeros, are passed over. Linear.
std::vector<DeviceColumn> deviceColumns(const std::vector<std::string_view>& headings);

/// Takes the units of a row below the headings that has nothing else: "", "GB", "GB/s". False, and nothing is taken, where the
/// row is another one.
bool takeUnits(const std::vector<std::string_view>& cells, std::vector<DeviceColumn>& columns);

} // namespace sunder
