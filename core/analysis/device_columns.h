#pragma once

#include "analysis/device.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A column in a table of devices, identified by its heading or its position.
struct DeviceColumn {
    enum class Kind : std::uint8_t { ignored, name, count, figure, rates };
    Kind kind = Kind::ignored;
    const DeviceFigure* figure = nullptr;
    std::string unit = {}; ///< for figures without a unit: "GB", "GB/s", "TFLOPS"; empty if unspecified

    /// Returns whether both are the same column of one table.
    [[nodiscard]] bool isLike(const DeviceColumn& other) const
    {
        return kind != Kind::ignored && kind == other.kind && figure == other.figure;
    }
};

/// Returns whether a cell can only be a figure: it begins with a digit, possibly after a sign.
bool isFigureCell(std::string_view cell);

/// Determines the meaning of columns from a first row without figures; each field occurs at most once. A column is identified by
/// common terms ("VRAM", "BW", "HBM3 (GB)", "Memory bandwidth", "FP16 TFLOPS"), then by its unit; the first unidentified column
/// is the name. Figures for precisions other than 16 bits and for sparse operations are ignored. Linear.
std::vector<DeviceColumn> deviceColumns(const std::vector<std::string_view>& headings);

/// Takes units from the row below the headings if it contains nothing else: "", "GB", "GB/s". Returns false and changes nothing
/// for any other row.
bool takeUnits(const std::vector<std::string_view>& cells, std::vector<DeviceColumn>& columns);

} // namespace sunder
