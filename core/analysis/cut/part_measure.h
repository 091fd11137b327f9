#pragma once

#include "analysis/cut/cut_metrics.h"

#include <span>
#include <vector>

namespace sunder {

/// Measures single parts of an assignment; keeps the tables that this takes, so that measuring all parts one after the
/// other stays linear. The graph and the assignment must outlive it.
class PartMeasure {
public:
    PartMeasure(const CutGraph& graph, const std::vector<std::int32_t>& partOf);

    /// The sizes of a part whose calls these are, but for what other parts hold too. O(arguments of the calls and
    /// readers of their results).
    PartMetrics measure(std::int32_t part, std::span<const std::uint32_t> calls);
    /// Adds to `parts` what each holds of a memory that several read. O(readers).
    void addDuplicates(std::uint32_t memory, std::vector<PartMetrics>& parts);
    /// The parts that read a memory, in order of first readers. Valid until the next call.
    std::span<const std::int32_t> holders(std::uint32_t memory);
    /// True when another part, a call without a part, or the program's output reads the value.
    [[nodiscard]] bool leaves(std::uint32_t value, std::int32_t part) const;

private:
    void measureParameters(std::span<const std::uint32_t> calls, PartMetrics& out);
    void measureBoundary(std::int32_t part, std::span<const std::uint32_t> calls, PartMetrics& out);
    void measureActivations(std::int32_t part, std::span<const std::uint32_t> calls, PartMetrics& out);

    const CutGraph& m_graph;
    const std::vector<std::int32_t>& m_partOf;
    std::uint32_t m_stamp = 0;
    std::vector<std::uint32_t> m_seenValue;  ///< stamp per value
    std::vector<std::uint32_t> m_seenMemory; ///< stamp per memory
    std::vector<std::uint32_t> m_lastUse;    ///< per piece: place of a call in its part
    std::vector<std::int32_t> m_holders;
};

} // namespace sunder
