#pragma once

#include <string_view>

namespace sunder {

/// Files that are part of the program (core/parts/data).
namespace part_data {
extern const std::string_view runner;
} // namespace part_data

/// Name of the file beside exported parts that runs them as the whole, with PyTorch alone.
inline constexpr const char* kPartRunner = "run.py";

} // namespace sunder
