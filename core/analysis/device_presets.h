#pragma once

#include "analysis/device.h"
#include "support/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A well-known accelerator, as its vendor describes it. Figures that the vendor does not give, or not in terms that compare, are 0.
struct DevicePreset {
    std::string_view name; ///< "H100 SXM 80 GB": unique
    std::string_view vendor;
    double memoryBytes = 0; ///< what is on it; drivers and error correction take some of it. GB are 10⁹ bytes, GiB 2³⁰
    double memoryBytesPerSecond = 0;
    double linkBytesPerSecond = 0; ///< to the other devices over the fastest link of all of them, one way: half of what is
        ///< said for both ways
    double flopsPerSecond = 0; ///< peak, dense (nothing taken for sparse), of 16-bit floats with sums in 32 bits
    std::string_view source; ///< the vendor's document
    std::string_view note = {}; ///< what else is to be known
};

/// All of them, by vendor, newest first.
std::span<const DevicePreset> devicePresets();

/// The preset that is called so, in any case of letters; null when there is none.
const DevicePreset* findDevicePreset(std::string_view name);

/// So many devices of a preset, called after it and numbered ("H100 SXM 0", …), one alone without a number; numbers and ids go on behind
/// those of `before`. Refuses more than 4,096. O(devices).
Result<std::vector<Device>> devicesOf(const DevicePreset& preset, std::size_t count, std::span<const Device> before = {});

/// What a preset says, in a line: "80 GB at 3.35 TB/s, 450 GB/s to others, 989.4 TFLOP/s".
std::string describe(const DevicePreset& preset);

/// Operations a second from what people write: "312 TFLOP/s", "312T", "1.5e14 FLOPS". Refuses, with a sentence that quotes the text,
/// what is no number from 0 with an optional k, M, G, T, P or E.
Result<double> parseFlops(std::string_view text);

/// A figure as people write it: "989.4 TFLOP/s", "3.35 TB/s".
std::string flopsText(double perSecond);
std::string bytesPerSecondText(double perSecond);

} // namespace sunder
