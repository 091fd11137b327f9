#pragma once

#include "analysis/cut/cut_metrics.h"
#include "analysis/sizes.h"

#include <span>
#include <vector>

namespace sunder {

/// The memory of activations while a call runs.
struct MemoryPoint {
    NodeId call;
    std::uint64_t bytes = 0;
};

/// Measures individual parts of an assignment. Reuses its tables, so that measuring all parts one by one is linear. Graph and
/// assignment must outlive it.
class PartMeasure {
public:
    PartMeasure(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

    /// Measures a part with the given calls, except for duplicates in other parts. Fills `curve`, if given, with one point per
    /// call. O(arguments of the calls and readers of their results).
    PartMetrics measure(std::int32_t part, std::span<const std::uint32_t> calls, std::vector<MemoryPoint>* curve = nullptr);
    /// Adds a memory with several readers to the duplicates of each of its parts. O(readers).
    void addDuplicates(std::uint32_t memory, std::vector<PartMetrics>& parts);
    /// Returns the parts that read a memory, in order of first readers. Valid until the next call.
    std::span<const std::int32_t> holders(std::uint32_t memory);

private:
    void measureParameters(std::span<const std::uint32_t> calls, PartMetrics& out);
    void findPorts(std::int32_t part, std::span<const std::uint32_t> calls, GraphInterface& out);
    void measureBoundary(std::int32_t part, std::span<const std::uint32_t> calls, PartMetrics& out) const;
    /// Returns whether calls take items of a value.
    [[nodiscard]] bool isContainer(std::uint32_t value) const;
    /// Returns the memory of an input of a part. A part receives only the items of a container that it takes.
    [[nodiscard]] std::uint64_t heldBytes(std::int32_t part, std::uint32_t value) const;
    /// Fills m_lastUse for calls in the order in which they run.
    void findLastUses(std::int32_t part, std::span<const std::uint32_t> calls, const GraphInterface& interface);
    void measureActivations(std::int32_t part, std::span<const std::uint32_t> numbered, PartMetrics& out,
                            std::vector<MemoryPoint>* curve);

    static constexpr std::uint32_t kNever = 0xffffffffU; ///< a piece that is never freed

    const CutGraph& m_graph;
    const std::vector<std::int32_t>& m_partOf;
    std::uint32_t m_stamp = 0;
    std::vector<std::uint32_t> m_seenValue; ///< stamp per value
    MemorySum m_memories;
    std::vector<std::uint32_t> m_lastUse; ///< per piece: place of its last reader in the part, or kNever
    std::vector<std::int32_t> m_holders;
    std::vector<std::int32_t> m_consumers;
};

/// Measures any set of calls, such as a whole program, as one part. Ignores nodes that are not calls. O(calls of the graph +
/// arguments of the nodes).
PartMetrics measureNodes(const CutGraph& graph, std::span<const NodeId> nodes);

/// Measures the whole program, including weights and inputs that no call reads. O(calls + arguments).
PartMetrics measureProgram(const CutGraph& graph, std::vector<MemoryPoint>* curve = nullptr);

} // namespace sunder
