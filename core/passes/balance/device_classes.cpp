#include "passes/balance/device_classes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace sunder {
namespace {

/// The links to earlier and later devices that device `d` counts with.
std::pair<BalanceProblem::Link, BalanceProblem::Link> linksOf(const BalanceProblem& problem, LinkView view, std::uint32_t d)
{
    const std::uint32_t count = problem.deviceCount();
    const auto least = [&](std::uint32_t from, std::uint32_t to) {
        BalanceProblem::Link best{};
        for (std::uint32_t other = from; other < to; ++other) {
            if (other == d)
                continue;
            for (const auto& link : {problem.link(other, d), problem.link(d, other)}) {
                const bool isFirst = best == BalanceProblem::Link{};
                best.secondsPerByte = isFirst ? link.secondsPerByte : std::min(best.secondsPerByte, link.secondsPerByte);
                best.latency = isFirst ? link.latency : std::min(best.latency, link.latency);
                if (best == BalanceProblem::Link{})
                    return best;
            }
        }
        return best;
    };
    if (problem.links.size() <= 1)
        return {problem.link(0, 0), problem.link(0, 0)};
    if (problem.anyOrder)
        return {least(0, count), least(0, count)};
    const bool isNeighbor = view == LinkView::neighbors;
    const auto earlier = [&] { return isNeighbor ? problem.link(d - 1, d) : least(0, d); };
    const auto later = [&] { return isNeighbor ? problem.link(d, d + 1) : least(d + 1, count); };
    return {d > 0 ? earlier() : later(), d + 1 < count ? later() : earlier()};
}

} // namespace

DeviceClasses deviceClasses(const BalanceProblem& problem, LinkView links)
{
    using Key = std::tuple<std::uint32_t, double, double, double, double, double>;
    std::map<Key, std::uint32_t> known;
    DeviceClasses made;
    for (std::uint32_t d = 0; d < problem.deviceCount(); ++d) {
        const auto [left, right] = linksOf(problem, links, d);
        const BalanceProblem::Device& device = problem.devices[d];
        const Key key{device.kind, device.memory, left.secondsPerByte, left.latency, right.secondsPerByte, right.latency};
        const auto [found, isNew] = known.emplace(key, static_cast<std::uint32_t>(made.classes.size()));
        if (isNew)
            made.classes.push_back({left, right, device.kind, device.memory});
        made.of.push_back(found->second);
    }
    return made;
}

void addClasses(BalanceGraph& graph, const DeviceClasses& devices,
                const std::function<double(std::uint32_t, std::uint32_t)>& seconds)
{
    graph.classOf = devices.of;
    const auto count = static_cast<double>(devices.classes.size());
    graph.work.assign(graph.units, 0);
    for (const DeviceClass& of : devices.classes)
        for (std::uint32_t unit = 0; unit < graph.units; ++unit)
            graph.work[unit] += seconds(of.kind, unit) / count;
    graph.least.assign(graph.nets.size(), std::numeric_limits<double>::infinity());
    for (const DeviceClass& of : devices.classes) {
        BalanceGraph::Class& made = graph.classes.emplace_back();
        made.memory = of.memory;
        made.ratio = std::numeric_limits<double>::infinity();
        for (std::uint32_t unit = 0; unit < graph.units; ++unit) {
            made.seconds.push_back(seconds(of.kind, unit));
            if (graph.work[unit] > 0)
                made.ratio = std::min(made.ratio, made.seconds.back() / graph.work[unit]);
        }
        if (devices.classes.size() == 1 || !(made.ratio < std::numeric_limits<double>::infinity()))
            made.ratio = 1;
        for (std::size_t net = 0; net < graph.nets.size(); ++net) {
            made.left.push_back(secondsOver(of.left, graph.nets[net]));
            made.right.push_back(secondsOver(of.right, graph.nets[net]));
            graph.least[net] = std::min({graph.least[net], made.left.back(), made.right.back()});
        }
    }
}

} // namespace sunder
