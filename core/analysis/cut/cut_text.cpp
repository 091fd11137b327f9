#include "analysis/cut/cut_text.h"

#include "ir/value_kind.h"
#include "support/format.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace sunder {
namespace {

std::string withDecimals(double value, int decimals)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::size_t unknownSizes(const CutMetrics& metrics)
{
    std::size_t count = 0;
    for (const PartMetrics& part : metrics.parts)
        count += part.unknownValues.size() + part.unknownTensors.size();
    return count;
}

/// `largest`: the largest part or device with its bytes; may be empty.
std::string totals(const CutMetrics& metrics, const std::string& largest, double imbalance)
{
    std::string text = "cut " + formatBytes(metrics.cutBytes);
    if (!largest.empty())
        text += " · largest " + largest + " · memory imbalance " + withDecimals(imbalance, 2);
    if (metrics.rule == MemoryRule::keepsAll)
        text += " · activations never freed (PyTorch's count)";
    if (const std::optional<double> gap = metrics.gap())
        text += " · memory at most " + withDecimals(std::ceil(*gap * 100), 0) + "% above optimal";
    if (const std::size_t unknown = unknownSizes(metrics); unknown > 0)
        text += " · " + formatCount(unknown, "size") + " unknown";
    return text;
}

} // namespace

std::string_view describeRule(MemoryRule rule)
{
    return rule == MemoryRule::keepsAll ? "PyTorch's count, which never frees values"
                                        : "the run-time peak; values are freed after their last use";
}

std::string describeTorchCount(std::uint64_t bytes)
{
    return "PyTorch counts " + formatBytes(bytes) + ": no value is freed";
}

std::string describeNeed(const PartSizes& sizes, MemoryRule rule)
{
    const bool isKept = rule == MemoryRule::keepsAll;
    return "weights " + formatBytes(sizes.parameterBytes) + ", activations " + formatBytes(sizes.activationPeakBytes)
        + (isKept ? " that are never freed" : " at their peak") + ", inputs " + formatBytes(sizes.inputBytes);
}

std::string describeTotals(const CutMetrics& metrics, std::span<const Device> devices, std::span<const DeviceLoad> loads)
{
    std::size_t largest = loads.size();
    std::size_t holding = 0;
    double sum = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        if (loads[i].parts.empty())
            continue;
        ++holding;
        sum += static_cast<double>(loads[i].usedBytes());
        if (largest == loads.size() || loads[i].usedBytes() > loads[largest].usedBytes())
            largest = i;
    }
    if (largest == loads.size())
        return describeTotals(metrics);
    const Device& device = devices[largest];
    const std::string name = device.name.empty() ? std::to_string(device.logicalId) : device.name;
    const auto used = static_cast<double>(loads[largest].usedBytes());
    return totals(metrics, "device " + name + " " + formatBytes(loads[largest].usedBytes()),
                  sum > 0 ? used * static_cast<double>(holding) / sum : 1);
}

std::string describeTotals(const CutMetrics& metrics)
{
    if (metrics.largest < 0)
        return totals(metrics, {}, 1);
    const PartMetrics& largest = metrics.parts[static_cast<std::size_t>(metrics.largest)];
    return totals(metrics, largest.name.str() + " " + formatBytes(largest.sizes.usedBytes()), metrics.imbalance);
}

std::string describeBound(const CutMetrics& metrics, const Graph& graph)
{
    const std::string begin = "no cut into " + formatCount(metrics.parts.size(), "part") + " has a largest part below "
        + formatBytes(metrics.bound.bytes) + ": ";
    if (metrics.bound.reason == PartBound::Reason::call)
        return begin + graph[metrics.bound.call].name.str() + " alone needs that much";
    return begin + "an even share of the parameters needs that much";
}

std::string describe(const CutEdgeValue& value, const Graph& graph)
{
    const Node& node = graph[value.node];
    if (!node.meta.val)
        return node.name.str() + ": unknown size";
    const Argument& val = *node.meta.val;
    std::string what = describeValue(val);
    if (const std::string_view kind = numberKind(val); !kind.empty())
        what = std::string(kind) + " " + what;
    return node.name.str() + ": " + what + ", " + (value.isKnown ? describeSize(val) : "unknown size");
}

} // namespace sunder
