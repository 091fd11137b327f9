#pragma once

#include <string_view>

namespace sunder {

/// Built-in files (core/parts/data).
namespace part_data {
extern const std::string_view runner;
} // namespace part_data

/// Name of the script in the folder of exported parts that runs them as the whole model, using only PyTorch.
inline constexpr const char* kPartRunner = "run.py";

} // namespace sunder
