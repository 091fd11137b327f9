#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// What a part needs, in bytes. Sizes that are not known count 0 here and are named in PartMetrics.
struct PartSizes {
    std::size_t ops = 0;
    /// Parameters, buffers and constants that its calls read, each memory once.
    std::uint64_t parameterBytes = 0;
    /// Of those, what another part holds too. A memory in three parts counts in each of the three.
    std::uint64_t duplicatedBytes = 0;
    /// The most that its own results take at any call, when its calls run in graph order: a piece lives from the call
    /// that fills it until the last call of the part that reads a value in it, or to the end when such a value leaves the
    /// part. Inputs are not in it. Under MemoryRule::keepsAll: all of them, as the sum below.
    std::uint64_t activationPeakBytes = 0;
    /// The same when nothing is freed: all pieces that its calls fill.
    std::uint64_t activationSumBytes = 0;
    /// Values that come from other parts or as inputs of the program, each once; held while the part runs.
    std::uint64_t inputBytes = 0;
    std::uint64_t programInputBytes = 0; ///< of those, inputs of the program
    /// Its values that another part or the program's output reads, each once. They are in the activations as well.
    std::uint64_t outputBytes = 0;

    /// What the part takes while it runs: parameters, the peak of its own values, and what it was given.
    [[nodiscard]] std::uint64_t usedBytes() const { return parameterBytes + activationPeakBytes + inputBytes; }
    friend bool operator==(const PartSizes&, const PartSizes&) = default;
};

/// One part of a cut.
struct PartMetrics {
    InternedString name;
    PartSizes sizes;
    NodeId peakAt;                        ///< the first call at which the peak is reached; invalid without calls
    std::vector<NodeId> unknownValues;    ///< its results and inputs of which no size is known, in graph order
    std::vector<TensorId> unknownTensors; ///< parameters without a known size
};

/// A value that goes from one part to another. Name, shape and dtype are those of the node and its `val`.
struct RibbonValue {
    NodeId node;
    std::uint64_t bytes = 0; ///< 0 when not known
    bool isKnown = true;
    friend bool operator==(const RibbonValue&, const RibbonValue&) = default;
};

/// Everything that goes from one part to another, each value once however many calls read it.
struct Ribbon {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::vector<RibbonValue> values = {}; ///< in graph order
    std::uint64_t bytes = 0;
    std::size_t unknown = 0; ///< values whose size is not known
    std::size_t numbers = 0; ///< values that are no tensors: an int, a symbolic int
    /// From a later part to an earlier one: the cut cannot run in this order.
    [[nodiscard]] bool isBackward() const { return from > to; }
    friend bool operator==(const Ribbon&, const Ribbon&) = default;
};

/// Why no cut into so many parts has a largest part below this.
struct PartBound {
    enum class Reason : std::uint8_t {
        parameters, ///< all parameters that are read, shared out evenly
        call,       ///< one call: what it reads and what it gives, with its parameters
    };
    std::uint64_t bytes = 0;
    Reason reason = Reason::parameters;
    NodeId call = {}; ///< of Reason::call
};

/// What a cut costs, under the rule of its CutGraph.
struct CutMetrics {
    MemoryRule rule = MemoryRule::freesDead;
    std::vector<PartMetrics> parts;    ///< in order of execution: as TagAssignment::order
    std::vector<Ribbon> ribbons;       ///< by (from, to); pairs that exchange nothing have none
    std::uint64_t cutBytes = 0;        ///< of all ribbons: a value that two parts read counts twice
    std::uint64_t crossingBytes = 0;   ///< the same with each value once
    std::uint64_t backwardBytes = 0;   ///< of backward ribbons
    std::size_t unknownCrossings = 0;  ///< values in ribbons whose size is not known
    std::uint64_t parameterBytes = 0;  ///< memories that calls with a part read, each once
    std::uint64_t duplicatedBytes = 0; ///< what further copies add; the parts' parameterBytes add up to both
    std::size_t untaggedCalls = 0;     ///< calls in no part; they count nowhere
    std::int32_t largest = -1;         ///< part of most usedBytes(), the first of equals; -1 without parts
    double imbalance = 1;              ///< usedBytes() of the largest part by the mean of the parts that have calls
    PartBound bound;                   ///< below which no largest part can be
    /// (largest - bound) / bound; nothing when the bound is 0.
    [[nodiscard]] std::optional<double> gap() const;
};

/// Measures a cut of the root graph. Parts without calls are there with zeros. O(nodes + arguments + tensors + parts).
CutMetrics cutMetrics(const CutGraph& graph, const TagAssignment& tags);

/// The same for one question.
CutMetrics cutMetrics(const Program& program, const TagAssignment& tags);

} // namespace sunder
