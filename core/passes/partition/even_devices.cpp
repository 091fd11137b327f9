// Memory that equal devices need to hold a model evenly: the default for users who have not specified devices. Finds the least
// memory with which next-fit filling needs no more than the given number of devices, by bisection. Larger devices rarely need
// more of them, and the returned size has always been tested.

#include "passes/partition/even_devices.h"

#include "passes/partition/open_partition.h"
#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the number of devices of `bytes` each that the calls fill; more than `most` if it is exceeded or a call does not fit.
std::uint32_t devicesNeeded(const Graph& graph, const NodeSizes& sizes, std::uint64_t bytes, std::uint32_t most)
{
    OpenPartition filling(graph, sizes);
    std::uint32_t devices = 1;
    std::uint64_t left = bytes;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        std::uint64_t need = filling.need(id);
        if (need > left) {
            if (++devices > most)
                return devices;
            filling.open();
            left = bytes;
            need = filling.need(id);
            if (need > left)
                return most + 1;
        }
        filling.add(id);
        left -= need;
    }
    return devices;
}

std::uint64_t roundedUp(std::uint64_t bytes)
{
    std::uint64_t unit = 1;
    while (bytes / unit >= 1000)
        unit *= 10;
    return (bytes + unit - 1) / unit * unit;
}

} // namespace

Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    const auto nodes = graph.nodes();
    if (count < 2 || std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); }))
        return fail(ErrorCode::refused, "nothing to distribute: at least two devices and a graph with ops are needed");
    SUNDER_TRY(const NodeSizes sizes, nodeSizes(program));
    SUNDER_TRY(const std::uint64_t whole, wholeBytes(program, sizes));
    std::uint64_t tooSmall = whole / count > 0 ? whole / count - 1 : 0;
    std::uint64_t enough = whole > 0 ? whole - 1 : 0; // the whole model would fit on one device
    if (devicesNeeded(graph, sizes, enough, count) > count)
        return fail(ErrorCode::refused,
                    "the model cannot be distributed over " + formatCount(count)
                        + " equal devices: in each cut, one device needs as much as the whole model, " + formatBytes(whole));
    while (enough - tooSmall > 1) {
        if (monitor.isCancelled())
            return fail(ErrorCode::cancelled, "Canceled.");
        const std::uint64_t middle = tooSmall + (enough - tooSmall) / 2;
        (devicesNeeded(graph, sizes, middle, count) > count ? tooSmall : enough) = middle;
    }
    const std::uint64_t round = roundedUp(enough);
    return round < whole && devicesNeeded(graph, sizes, round, count) <= count ? round : enough;
}

} // namespace sunder
