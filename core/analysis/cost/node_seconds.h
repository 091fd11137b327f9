#pragma once

#include "analysis/cost/node_costs.h"
#include "analysis/device.h"
#include "ir/program.h"
#include "support/interned_string.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// Measured values of one node.
struct MeasuredNode {
    std::optional<double> seconds = {};
    std::optional<double> transferSeconds = {}; ///< to move its result to another device
    std::uint64_t extraBytes = 0; ///< memory that the graph does not show: a KV cache, a kernel workspace
    std::uint32_t source = 0;     ///< index into MeasuredCosts::sources
};

/// How the events of a profiler trace were matched with calls.
struct TraceMatch {
    /// Equal calls with a number of events that is not a multiple of theirs, so that it is unknown which belong to which.
    struct Ambiguous {
        std::string op; ///< "aten::mm"
        NodeId first;   ///< of the calls
        std::uint32_t nodes = 0;
        std::uint32_t events = 0;
    };
    std::string file;
    bool byName = false; ///< a trace of sunder.profile(); else by operator, input shapes, and data types in order
    bool hasShapes = true; ///< false: the trace was recorded without record_shapes
    std::uint32_t runs = 0; ///< runs of the model in the trace; a call takes the median
    std::uint32_t matched = 0; ///< calls
    std::vector<Ambiguous> ambiguous = {};
    std::vector<NodeId> unmatched = {}; ///< calls of operators without an event
    std::vector<std::pair<std::string, std::uint32_t>> unmatchedEvents = {}; ///< outermost events by operator
};

/// Costs that were measured or entered by the user, by node of a root graph. See io/side_files/costs_file.h for files.
struct MeasuredCosts {
    std::vector<std::string> sources = {}; ///< files, in the order in which they were read
    std::vector<MeasuredNode> nodes = {};  ///< per NodeId; may be shorter than the graph
    std::vector<std::pair<InternedString, std::uint64_t>> moduleExtraBytes = {}; ///< by module path; different paths
    std::vector<std::vector<NodeId>> together = {}; ///< lists of nodes that belong on one device
    std::vector<InternedString> recompute = {};     ///< paths of modules whose values are computed again for the backward pass
    std::string device = {};                        ///< device of the measurement, for display
    std::vector<TraceMatch> traces = {};            ///< of each trace among the files

    /// Returns the values of a node; without values for nodes that were not measured.
    [[nodiscard]] MeasuredNode of(NodeId id) const { return id.index() < nodes.size() ? nodes[id.index()] : MeasuredNode(); }
    /// Returns whether seconds of any node were measured. O(nodes).
    [[nodiscard]] bool hasSeconds() const;
};

/// Returns the extra bytes of each node of the root graph: its own, and those of the modules that it is the first call of; the
/// module "" is the whole model. Per NodeId. O(nodes · modules with extra bytes).
std::vector<std::uint64_t> extraBytesOfNodes(const Program& program, const MeasuredCosts& measured);

/// The time of a node on a device.
struct NodeSeconds {
    std::optional<double> seconds = {}; ///< nothing: neither measured nor modeled
    std::optional<double> transferSeconds = {}; ///< if measured; else it follows from bytes and links
    std::optional<std::uint32_t> source = {};   ///< index into MeasuredCosts::sources; nothing: the cost model
};

/// The factors that the cost model used.
struct CostModel {
    double computeEfficiency = kDefaultComputeEfficiency;
    double memoryEfficiency = kDefaultMemoryEfficiency;
    double launchSeconds = kDefaultLaunchSeconds;
    double memoryBytesPerSecond = 0;
    double speed = 1; ///< measured seconds were divided by it
    struct Rate {
        std::string dtype; ///< of operands
        DeviceRate used;   ///< with the type that it is stated for
    };
    std::vector<Rate> rates = {}; ///< of the data types that occur, in order of appearance
};

struct ProgramSeconds {
    std::vector<NodeSeconds> nodes = {}; ///< per NodeId of the root graph
    std::uint32_t measured = 0;          ///< calls with measured seconds
    std::uint32_t unknown = 0;           ///< calls without seconds
    std::optional<CostModel> model = {}; ///< if there is a device
};

/// Returns the data type whose rate applies to a call: of the first floating-point tensor among its operands, else of its first
/// tensor; empty if it has none.
std::string_view computeDtype(const Graph& graph, NodeId id);

/// Returns the time of each node of the root graph on a device. Measured seconds are taken, divided by the `speed` of the device.
/// Other calls take, with a device, max(flops / (rate · compute efficiency), bytes / (memory bandwidth · memory efficiency)) +
/// launch time; without one, or if their floating-point operations are unknown, they have no seconds. Nodes that are not calls
/// have seconds only if measured. Refused, naming device and node, if the device lacks a figure that a node needs. O(nodes).
Result<ProgramSeconds> nodeSeconds(const Program& program, const ProgramCosts& costs, const Device* device,
                                   const MeasuredCosts& measured = {});

/// The seconds on several devices, once for each kind: devices that differ only in name, color, id, memory, and links are of one kind.
struct KindSeconds {
    std::vector<std::uint32_t> kindOf = {}; ///< per device
    std::vector<ProgramSeconds> kinds = {};
};

/// Returns the time of each node on each kind of device, for sums over all nodes. Without `isModeled`, only measured seconds count.
/// Refuses a call without seconds, with its name, if only measured seconds count. Otherwise such calls count 0, and `assumptions` gets a
/// sentence about them. Also returns the errors of nodeSeconds(). O(devices · kinds + nodes · kinds).
Result<KindSeconds> kindSeconds(const Program& program, const ProgramCosts& costs, std::span<const Device> devices,
                                bool isModeled, const MeasuredCosts& measured, std::vector<std::string>& assumptions);

/// Returns the known seconds of each of `costs.modules`, the whole model first. Nothing for a module whose calls have none. O(nodes ×
/// depth of their modules).
std::vector<std::optional<double>> moduleSeconds(const Program& program, const ProgramCosts& costs,
                                                 const ProgramSeconds& seconds);

} // namespace sunder
