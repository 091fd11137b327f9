#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// The assignment of nodes to devices as an abstract problem, without a program. Nodes and devices are numbered from 0. Devices
/// are used in this order: `order` never leads from a later device to an earlier one.
struct BalanceProblem {
    /// A value that passes between devices. Every device that holds a node of it, but not all of them, pays one transfer.
    struct Value {
        std::uint32_t producer = 0;
        std::vector<std::uint32_t> readers = {};
        double bytes = 0; ///< the transfer follows from bytes and link, unless `seconds` is given
        double seconds = -1; ///< measured transfer time; negative: unknown
        bool hasGradient = false; ///< a gradient of the same size returns; see stepCosts()
    };
    /// A memory that every device with a reader holds once, e.g. a weight.
    struct Memory {
        double bytes = 0;
        std::vector<std::uint32_t> readers = {};
    };
    struct Device {
        std::uint32_t kind = 0; ///< index into `seconds`
        double memory = std::numeric_limits<double>::infinity(); ///< available bytes
    };
    struct Link {
        double secondsPerByte = 0;
        double latency = 0; ///< seconds
        friend bool operator==(const Link&, const Link&) = default;
    };

    std::uint32_t nodes = 0;
    std::vector<std::vector<double>> seconds = {}; ///< per kind of device: seconds of each node
    std::vector<double> bytes = {};                ///< per node: what its device holds for it; empty: nothing
    std::vector<Value> values = {};
    std::vector<Memory> memories = {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order = {}; ///< (before, after); includes producers of values
    std::vector<std::vector<std::uint32_t>> groups = {}; ///< nodes on one device
    std::vector<Device> devices = {};
    std::vector<Link> links = {}; ///< one for all pairs, or devices × devices: from · devices + to. Empty: free
    bool overlap = false;  ///< the load is the larger of compute and transfers instead of their sum
    bool anyOrder = false; ///< devices with different figures may be used in any order
    /// Bytes that a device needs for these nodes (ascending), at least those above; empty: exactly those above.
    std::function<double(std::span<const std::uint32_t>)> bytesOf = {};
    /// Per node: `bytesOf` is at most the bytes above plus these. Saves calls; empty: unknown.
    std::vector<double> mostExtraBytes = {};

    [[nodiscard]] std::uint32_t deviceCount() const { return static_cast<std::uint32_t>(devices.size()); }
    [[nodiscard]] const Link& link(std::uint32_t from, std::uint32_t to) const;
    /// Returns the seconds that a value needs from one device to another.
    [[nodiscard]] double transfer(const Value& value, std::uint32_t from, std::uint32_t to) const;
};

/// Returns the first node of the unit that each node belongs to: groups with a common node are one unit. O(nodes + members).
std::vector<std::uint32_t> joinedGroups(std::uint32_t nodes, std::span<const std::vector<std::uint32_t>> groups);

/// The figures of one device in a cut.
struct BalanceLoad {
    double seconds = 0;  ///< of its nodes
    double transfer = 0; ///< of values read from and by other devices
    double load = 0;
    double bytes = 0;
};

/// Returns the figures of each device. Devices have `problem.devices[deviceOf[stage]]`; `stageOf` is per node. O(nodes + readers).
std::vector<BalanceLoad> balanceLoads(const BalanceProblem& problem, std::span<const std::uint32_t> stageOf,
                                      std::span<const std::uint32_t> deviceOf);

/// Returns the load of the slowest device; 0 without devices.
double largestLoad(std::span<const BalanceLoad> loads);

/// The effort of a search. The same limits give the same result on every machine.
struct BalanceLimits {
    double steps = 3e9; ///< about 1e9 per three seconds of a core
    std::size_t storedBytes = std::size_t{1} << 30U;
};

/// A cut, and a proof of its quality.
struct BalanceResult {
    std::vector<std::uint32_t> stageOf; ///< per node; every stage is on the device below
    std::vector<std::uint32_t> deviceOf; ///< per stage: index of its device
    std::vector<BalanceLoad> loads; ///< per stage
    double load = 0; ///< the largest of `loads`
    double bound = 0; ///< no legal cut has a smaller load
    bool isProven = false; ///< no better cut exists, up to rounding
    bool isComplete = true; ///< false: stopped by the monitor
    std::size_t units = 0; ///< nodes after contraction
    std::size_t downSets = 0; ///< of the largest search

    [[nodiscard]] double gap() const
    {
        return bound > 0 ? load / bound - 1 : load > 0 ? std::numeric_limits<double>::infinity() : 0;
    }
};

/// Returns "optimal, proven", "at most 1.8 % above optimal", or "no bound".
std::string describeQuality(const BalanceResult& result);

/// Finds a cut whose largest load is as small as possible. No stage is empty unless there are fewer separable units than devices.
/// Exact: contracts the graph without loss, then runs a dynamic program over down-sets (sets closed under predecessors), but only
/// over those whose work could belong to a better cut than the best one known. Beyond the limits, it keeps that cut and a bound.
///
/// Method: Tarnawski et al., Efficient Algorithms for Device Placement of DNN Graph Operators, NeurIPS 2020.
///
/// Returns ErrorCode::refused if nothing fits, with the number of devices needed, or if no cut was found within the limits;
/// ErrorCode::cancelled if canceled before a cut was found. Once there is one, cancellation returns it.
Result<BalanceResult> balance(const BalanceProblem& problem, const BalanceLimits& limits = {},
                              ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
