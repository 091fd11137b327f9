#include "analysis/partitioner_config.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::array<std::pair<PartitionMode, std::string_view>, 5> kModes = {{{PartitionMode::sizeBased, "size_based"},
                                                                               {PartitionMode::sparseNn, "sparse_nn"},
                                                                               {PartitionMode::costAware, "cost_aware"},
                                                                               {PartitionMode::klBased, "kl_based"},
                                                                               {PartitionMode::aotBased, "aot_based"}}};

} // namespace

std::string_view name(PartitionMode mode)
{
    return std::find_if(kModes.begin(), kModes.end(), [&](const auto& entry) { return entry.first == mode; })->second;
}

std::optional<PartitionMode> partitionModeOf(std::string_view text)
{
    const auto found = std::find_if(kModes.begin(), kModes.end(), [&](const auto& entry) { return entry.second == text; });
    return found != kModes.end() ? std::optional(found->first) : std::nullopt;
}

} // namespace sunder
