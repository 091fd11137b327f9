#pragma once

#include "analysis/cut/cut_metrics.h"
#include "analysis/sizes.h"

#include <span>
#include <vector>

namespace sunder {

/// Measures individual parts of an assignment. Reuses its tables, so that measuring all parts one by one is linear. Graph and
/// assignment must outlive it.
class PartMeasure {
public:
    PartMeasure(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

    /// Measures a part with the given calls, except for duplicates in other parts. O(arguments of the calls and readers of their
    /// results).
    PartMetrics measure(std::int32_t part, std::span<const std::uint32_t> calls);
    /// Adds a memory with several readers to the duplicates of each of its parts. O(readers).
    void addDuplicates(std::uint32_t memory, std::vector<PartMetrics>& parts);
    /// Returns the parts that read a memory, in order of first readers. Valid until the next call.
    std::span<const std::int32_t> holders(std::uint32_t memory);

private:
    void measureParameters(std::span<const std::uint32_t> calls, PartMetrics& out);
    void findPorts(std::int32_t part, std::span<const std::uint32_t> calls, GraphInterface& out);
    void measureBoundary(std::span<const std::uint32_t> calls, PartMetrics& out) const;
    void measureActivations(std::int32_t part, std::span<const std::uint32_t> calls, PartMetrics& out);

    const CutGraph& m_graph;
    const std::vector<std::int32_t>& m_partOf;
    std::uint32_t m_stamp = 0;
    std::vector<std::uint32_t> m_seenValue; ///< stamp per value
    MemorySum m_memories;
    std::vector<std::uint32_t> m_lastUse; ///< per piece: index of its last reader in the part
    std::vector<std::int32_t> m_holders;
    std::vector<std::int32_t> m_consumers;
};

/// Measures any set of calls, such as a whole program, as one part. Ignores nodes that are not calls. O(calls of the graph +
/// arguments of the nodes).
PartMetrics measureNodes(const CutGraph& graph, std::span<const NodeId> nodes);

} // namespace sunder
