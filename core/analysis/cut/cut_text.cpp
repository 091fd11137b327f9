#include "analysis/cut/cut_text.h"

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

} // namespace

std::string describeTotals(const CutMetrics& metrics)
{
    std::string text = "cut " + formatBytes(metrics.cutBytes);
    if (metrics.largest >= 0) {
        const PartMetrics& largest = metrics.parts[static_cast<std::size_t>(metrics.largest)];
        text += " · largest " + largest.name.str() + " " + formatBytes(largest.sizes.usedBytes()) + " · imbalance " +
                withDecimals(metrics.imbalance, 2);
    }
    if (const std::optional<double> gap = metrics.gap())
        text += " · " + withDecimals(std::ceil(*gap * 100), 0) + " % above the bound";
    if (const std::size_t unknown = unknownSizes(metrics); unknown > 0)
        text += " · " + formatCount(unknown, "size") + " not known";
    return text;
}

std::string describeBound(const CutMetrics& metrics, const Graph& graph)
{
    const std::string begin = "no cut into " + formatCount(metrics.parts.size(), "part") +
                              " has a largest part under " + formatBytes(metrics.bound.bytes) + ": ";
    if (metrics.bound.reason == PartBound::Reason::call)
        return begin + graph[metrics.bound.call].name.str() + " alone takes that";
    return begin + "that is an even share of the parameters";
}

std::string describe(const RibbonValue& value, const Graph& graph)
{
    const Node& node = graph[value.node];
    std::string text = node.name.str() + ": ";
    if (node.meta.val)
        text += (node.meta.val->is(ArgumentKind::tensor) ? describe(node.meta.val->asTensor())
                                                         : describeShape(*node.meta.val)) +
                ", ";
    return text + (value.isKnown ? formatBytes(value.bytes) : "size not known");
}

} // namespace sunder
