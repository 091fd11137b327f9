#pragma once

#include "passes/balance/balance_problem.h"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace sunder {

/// How far balanceGraph() contracts.
enum class Contraction : std::uint8_t {
    groups, ///< groups, and nodes that depend on each other in a circle
    lossless, ///< also nodes that some best cut has on one device, if empty stages are allowed
};

/// A balance problem with nodes contracted to units, in topological order, and figures per class of equal devices.
struct BalanceGraph {
    /// A transfer that each device pays that holds some of the pins and not all.
    struct Net {
        std::vector<std::uint32_t> pins; ///< units, ascending; at least two
        double fixed = 0; ///< seconds
        double bytes = 0; ///< over the link
        double count = 0; ///< latencies of the link
    };
    /// Devices with equal figures.
    struct Class {
        std::vector<double> seconds; ///< per unit
        std::vector<double> left;    ///< per net: seconds if it crosses the boundary with earlier stages
        std::vector<double> right;   ///< per net: likewise, only with later stages
        double memory = 0;
        double ratio = 0; ///< the least seconds per `work` of any unit
    };
    /// A unit without cost that the search leaves out: it runs with its first user or its last producer.
    struct Dropped {
        std::uint32_t node = 0; ///< a member
        bool isSource = false;
        std::vector<std::uint32_t> neighbors = {}; ///< members of its users or producers
    };

    std::uint32_t units = 0;
    std::vector<std::uint32_t> unitOf; ///< per node; kDropped for members of dropped units
    std::vector<std::vector<std::uint32_t>> members; ///< per unit: nodes, ascending
    std::vector<Dropped> dropped; ///< in order of removal
    std::vector<std::uint32_t> representative; ///< per node of a dropped unit: Dropped::node
    std::vector<std::vector<std::uint32_t>> before; ///< per unit: direct predecessors
    std::vector<std::vector<std::uint32_t>> after;
    std::vector<Net> nets;
    std::vector<std::vector<std::uint32_t>> netsOf; ///< per unit
    std::vector<Net> memories; ///< bytes that every device with a pin holds once
    std::vector<std::vector<std::uint32_t>> memoriesOf; ///< per unit
    std::vector<double> bytes; ///< per unit
    std::vector<double> mostBytes; ///< per unit: `bytes` and BalanceProblem::mostExtraBytes; infinite if unknown
    std::vector<double> work;  ///< per unit: mean seconds of the classes
    std::vector<double> least; ///< per net: the least transfer of any class
    std::vector<Class> classes;
    std::vector<std::uint32_t> classOf; ///< per device
    bool overlap = false;
    bool hasMemoryLimit = false; ///< some device is smaller than everything together

    static constexpr std::uint32_t kDropped = 0xffffffffU;

    /// Returns the sums over all units. O(units).
    [[nodiscard]] double allWork() const { return std::accumulate(work.begin(), work.end(), 0.0); }
    [[nodiscard]] double allBytes() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

    /// Returns the stage of each node for stages of units.
    [[nodiscard]] std::vector<std::uint32_t> expanded(std::span<const std::uint32_t> stageOfUnit, std::size_t nodes) const;
};

/// The links that a graph counts with.
enum class LinkView : std::uint8_t {
    neighbors, ///< each device's links to the devices before and after it
    fastest,   ///< the fastest link of each device to any earlier and any later one: never more than the true transfers
};

/// Contracts a problem. O(nodes · width) except for transitive edges, which take O(nodes² / 64).
BalanceGraph balanceGraph(const BalanceProblem& problem, Contraction contraction, LinkView links);

} // namespace sunder
