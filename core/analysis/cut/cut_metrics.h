#pragma once

#include "analysis/cut/graph_interface.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// The memory of a part, in bytes. Unknown sizes count as 0 and are listed in PartMetrics.
struct PartSizes {
    std::size_t ops = 0;
    /// Parameters, buffers and constants that its calls read, each memory once.
    std::uint64_t parameterBytes = 0;
    /// The share of these that other parts hold as well. A memory in three parts counts in each of them.
    std::uint64_t duplicatedBytes = 0;
    /// The peak of its own results while its calls run in graph order. A piece lives from the call that fills it to the last call
    /// of the part that reads a value in it, or to the end if such a value leaves the part or nothing reads one. Excludes inputs.
    /// Source: torch._inductor.fx_passes.memory_estimator. Under MemoryRule::keepsAll, equal to the sum below.
    std::uint64_t activationPeakBytes = 0;
    /// The size of all pieces that its calls fill, as if nothing were freed.
    std::uint64_t activationSumBytes = 0;
    /// Values from other parts and inputs of the program, held while the part runs. A value with several consumers counts once.
    std::uint64_t inputBytes = 0;
    std::uint64_t programInputBytes = 0; ///< the share that are inputs of the program
    /// Its values that another part or the program's output reads. A value with several readers counts once. Also counted as
    /// activations.
    std::uint64_t outputBytes = 0;

    /// Returns the memory that is held from the first call to the last: parameters and inputs.
    [[nodiscard]] std::uint64_t residentBytes() const { return parameterBytes + inputBytes; }
    /// Returns the peak of a run, at PartMetrics::peakAt: the resident memory and the peak of activations.
    [[nodiscard]] std::uint64_t usedBytes() const { return residentBytes() + activationPeakBytes; }
    PartSizes& operator+=(const PartSizes& other);
    PartSizes& operator-=(const PartSizes& other);
    friend bool operator==(const PartSizes&, const PartSizes&) = default;
};

/// One part of a cut.
struct PartMetrics {
    InternedString name;
    PartSizes sizes;
    GraphInterface interface;
    NodeId peakAt; ///< the first call at the peak; invalid without calls
    std::vector<NodeId> unknownValues; ///< its results and inputs with unknown sizes, in graph order
    std::vector<TensorId> unknownTensors; ///< parameters with unknown sizes
};

/// A value that passes from one part to another. Name, shape and dtype are those of the node and its `val`.
struct CutEdgeValue {
    NodeId node;
    std::uint64_t bytes = 0; ///< 0 if unknown
    bool isKnown = true;
    friend bool operator==(const CutEdgeValue&, const CutEdgeValue&) = default;
};

/// All values that pass from one part to another. A value counts once, regardless of the number of consumers.
struct CutEdge {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::vector<CutEdgeValue> values = {}; ///< in graph order
    std::uint64_t bytes = 0;
    std::size_t unknown = 0; ///< number of values with unknown sizes
    std::size_t numbers = 0; ///< number of non-tensor values: int, symbolic int
    /// Returns whether values pass from a later part to an earlier one, so that the cut cannot run in this order.
    [[nodiscard]] bool isBackward() const { return from > to; }
    friend bool operator==(const CutEdge&, const CutEdge&) = default;
};

/// A lower bound for the largest part among all cuts with the same number of parts, with its reason.
struct PartBound {
    enum class Reason : std::uint8_t {
        parameters, ///< all parameters that are read, evenly distributed
        call, ///< a single call: its inputs, results and parameters
    };
    std::uint64_t bytes = 0;
    Reason reason = Reason::parameters;
    NodeId call = {}; ///< of Reason::call
};

/// The cost of a cut, under the rule of its CutGraph.
struct CutMetrics {
    MemoryRule rule = MemoryRule::freesDead;
    std::vector<PartMetrics> parts; ///< in execution order, as in TagAssignment::order
    std::vector<CutEdge> cutEdges; ///< by (from, to), only pairs that exchange values
    std::uint64_t cutBytes = 0; ///< of all edges: a value consumed by two parts counts twice
    std::uint64_t crossingBytes = 0; ///< likewise, but each value counts once
    std::uint64_t backwardBytes = 0; ///< of backward edges
    std::size_t unknownCrossings = 0; ///< number of values in edges with unknown sizes
    std::uint64_t parameterBytes = 0; ///< memories read by calls with a part; shared memory counts once
    std::uint64_t duplicatedBytes = 0; ///< size of additional copies; the parts' parameterBytes add up to both
    std::size_t untaggedCalls = 0; ///< calls in no part; not counted anywhere
    std::int32_t largest = -1; ///< part with the most usedBytes(), the first in a tie; -1 without parts
    double imbalance = 1; ///< usedBytes() of the largest part divided by the mean of parts with calls
    PartBound bound; ///< lower bound for the largest part
    /// Returns (largest - bound) / bound; nothing if the bound is 0.
    [[nodiscard]] std::optional<double> gap() const;
};

/// Measures a cut of the root graph. Parts without calls are included with zeros. O(nodes + arguments + tensors + parts).
CutMetrics cutMetrics(const CutGraph& graph, const TagAssignment& tags);

/// Builds the tables and measures a single cut.
CutMetrics cutMetrics(const Program& program, const TagAssignment& tags);

} // namespace sunder
