#pragma once

#include "passes/balance/balance_graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sunder {

/// The figures that equal devices share.
struct DeviceClass {
    BalanceProblem::Link left = {}; ///< to earlier devices
    BalanceProblem::Link right = {}; ///< to later devices
    std::uint32_t kind = 0; ///< index into BalanceProblem::seconds
    double memory = 0;
};

struct DeviceClasses {
    std::vector<DeviceClass> classes;
    std::vector<std::uint32_t> of; ///< per device
};

/// Distributes the devices of a problem to classes. O(devices), with a link matrix O(devices²).
DeviceClasses deviceClasses(const BalanceProblem& problem, LinkView links);

/// Returns the seconds that the values of a net need over a link.
[[nodiscard]] inline double secondsOver(const BalanceProblem::Link& link, const BalanceGraph::Net& net)
{
    return net.fixed + net.bytes * link.secondsPerByte + net.count * link.latency;
}

/// Adds the figures of all classes to a graph with units and nets. `seconds(kind, unit)`: of a unit on a kind of device.
/// O(classes · (units + nets)).
void addClasses(BalanceGraph& graph, const DeviceClasses& devices,
                const std::function<double(std::uint32_t, std::uint32_t)>& seconds);

} // namespace sunder
