#include "analysis/cost/node_seconds.h"

#include "analysis/search/node_matcher.h"
#include "ir/tensor_meta.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

bool isFloating(std::string_view dtype)
{
    return dtype.starts_with("float") || dtype.starts_with("bfloat") || dtype.starts_with("complex") || dtype == "half"
        || dtype == "double";
}

/// The roofline of one device.
class Roofline {
public:
    explicit Roofline(const Device& device) : m_device(device)
    {
        model.computeEfficiency = device.computeEfficiency.value_or(kDefaultComputeEfficiency);
        model.memoryEfficiency = device.memoryEfficiency.value_or(kDefaultMemoryEfficiency);
        model.launchSeconds = device.launchSeconds.value_or(kDefaultLaunchSeconds);
        model.memoryBytesPerSecond = device.memoryBytesPerSecond.value_or(0);
        model.speed = device.speed.value_or(1);
    }

    /// Returns the seconds of a call with `flops` operations.
    Result<double> seconds(const Graph& graph, NodeId id, std::uint64_t flops, std::uint64_t bytes)
    {
        double compute = 0;
        if (flops > 0) {
            const double rate = rateOf(computeDtype(graph, id));
            if (rate <= 0)
                return lacks("compute rate", R"("rates" or "flops_per_s")", graph[id]);
            compute = static_cast<double>(flops) / (rate * model.computeEfficiency);
        }
        double memory = 0;
        if (bytes > 0) {
            if (model.memoryBytesPerSecond <= 0)
                return lacks("memory bandwidth", R"("memory_bandwidth_bytes_per_s")", graph[id]);
            memory = static_cast<double>(bytes) / (model.memoryBytesPerSecond * model.memoryEfficiency);
        }
        return std::max(compute, memory) + model.launchSeconds;
    }

    CostModel model;

private:
    double rateOf(std::string_view dtype)
    {
        const auto known = std::ranges::find(model.rates, dtype, &CostModel::Rate::dtype);
        if (known != model.rates.end())
            return known->used.flopsPerSecond;
        const std::optional<DeviceRate> rate = rateFor(m_device, dtype);
        if (!rate)
            return 0;
        model.rates.push_back({std::string(dtype), *rate});
        return rate->flopsPerSecond;
    }

    [[nodiscard]] tl::unexpected<Error> lacks(const char* figure, const char* keys, const Node& node) const
    {
        return fail(ErrorCode::refused,
                    describe(m_device) + " has no " + figure + ", which the time of node \"" + node.name.str()
                        + "\" depends on; add " + keys,
                    {.node = node.name.str()});
    }

    const Device& m_device;
};

} // namespace

std::vector<std::uint64_t> extraBytesOfNodes(const Program& program, const MeasuredCosts& measured)
{
    const Graph& graph = program.rootGraph();
    std::vector<std::uint64_t> extra(graph.idBound(), 0);
    for (const NodeId id : graph.nodes())
        extra[id.index()] = measured.of(id).extraBytes;
    for (const auto& [module, bytes] : measured.moduleExtraBytes) {
        const auto& nodes = graph.order();
        const auto isFirstCall = [&](NodeId id) {
            return graph[id].isCall() && (module.empty() || isWithin(modulePathOf(program, graph[id]), module.view()));
        };
        if (const auto first = std::ranges::find_if(nodes, isFirstCall); first != nodes.end())
            extra[(*first).index()] += bytes;
    }
    return extra;
}

std::string_view computeDtype(const Graph& graph, NodeId id)
{
    std::string_view first;
    std::string_view floating;
    const auto take = [&](const TensorMeta& meta) {
        if (first.empty())
            first = meta.dtype.view();
        if (floating.empty() && isFloating(meta.dtype.view()))
            floating = meta.dtype.view();
    };
    for (const NodeId input : graph.inputs(id))
        if (const std::optional<Argument>& val = graph[input].meta.val)
            forEachTensor(*val, take);
    if (floating.empty() && graph[id].meta.val)
        forEachTensor(*graph[id].meta.val, take);
    return floating.empty() ? first : floating;
}

Result<ProgramSeconds> nodeSeconds(const Program& program, const ProgramCosts& costs, const Device* device,
                                   const MeasuredCosts& measured)
{
    const Graph& graph = program.rootGraph();
    std::optional<Roofline> roofline;
    if (device != nullptr)
        roofline.emplace(*device);
    if (device != nullptr && roofline->model.speed <= 0)
        return fail(ErrorCode::refused, describe(*device) + " has speed 0; remove \"speed\" or make it greater");
    ProgramSeconds result;
    result.nodes.resize(graph.idBound());
    for (const NodeId id : graph.nodes()) {
        NodeSeconds& node = result.nodes[id.index()];
        const MeasuredNode given = measured.of(id);
        node.transferSeconds = given.transferSeconds;
        if (given.seconds) {
            node.seconds = *given.seconds / (roofline ? roofline->model.speed : 1);
            node.source = given.source;
            result.measured += graph[id].isCall() ? 1 : 0;
            continue;
        }
        if (!graph[id].isCall())
            continue;
        const NodeCost& cost = costs.nodes[id.index()];
        if (roofline && cost.flops) {
            SUNDER_TRY(node.seconds, roofline->seconds(graph, id, *cost.flops, cost.bytesRead + cost.bytesWritten));
        } else {
            ++result.unknown;
        }
    }
    if (roofline)
        result.model = roofline->model;
    return result;
}

bool MeasuredCosts::hasSeconds() const
{
    return std::ranges::any_of(nodes, [](const MeasuredNode& node) { return node.seconds.has_value(); });
}

Result<KindSeconds> kindSeconds(const Program& program, const ProgramCosts& costs, std::span<const Device> devices,
                                bool isModeled, const MeasuredCosts& measured, std::vector<std::string>& assumptions)
{
    const Graph& graph = program.rootGraph();
    KindSeconds result;
    std::vector<Device> kinds;
    for (const Device& device : devices) {
        Device figures = device;
        figures.name.clear();
        figures.color.clear();
        figures.logicalId = 0;
        figures.availableBytes = 0;
        figures.links.clear();
        const auto known = std::ranges::find(kinds, figures);
        result.kindOf.push_back(static_cast<std::uint32_t>(known - kinds.begin()));
        if (known != kinds.end())
            continue;
        kinds.push_back(std::move(figures));
        SUNDER_TRY(ProgramSeconds seconds, nodeSeconds(program, costs, isModeled ? &device : nullptr, measured));
        if (seconds.measured > 0 && !seconds.model)
            for (const NodeId id : graph.nodes())
                if (graph[id].isCall() && !seconds.nodes[id.index()].seconds)
                    return fail(ErrorCode::refused,
                                "node '" + graph[id].name.str()
                                    + "' has no seconds; measure it, or give devices with their rates",
                                {.node = graph[id].name.str()});
        result.kinds.push_back(std::move(seconds));
    }
    if (!result.kinds.empty() && result.kinds.front().unknown > 0)
        assumptions.push_back(formatCount(result.kinds.front().unknown, "op") + " without known sizes count as 0 seconds");
    return result;
}

std::vector<std::optional<double>> moduleSeconds(const Program& program, const ProgramCosts& costs, const ProgramSeconds& seconds)
{
    const Graph& graph = program.rootGraph();
    std::unordered_map<std::string_view, std::size_t> indices;
    for (std::size_t i = 0; i < costs.modules.size(); ++i)
        indices.emplace(costs.modules[i].path.view(), i);
    std::vector<std::optional<double>> sums(costs.modules.size());
    const auto add = [&](std::string_view path, double value) {
        if (const auto found = indices.find(path); found != indices.end())
            sums[found->second] = sums[found->second].value_or(0) + value;
    };
    for (const NodeId id : graph.nodes()) {
        const std::optional<double>& value = seconds.nodes[id.index()].seconds;
        if (!value || !graph[id].isCall())
            continue;
        add({}, *value);
        forEachEnclosing(modulePathOf(program, graph[id]), [&](std::string_view path) { add(path, *value); });
    }
    return sums;
}

} // namespace sunder
