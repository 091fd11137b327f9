#pragma once

#include "analysis/tag_assignment.h"
#include "support/diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// A value made under a later tag than the one that needs it.
struct BackwardEdge {
    NodeId producer;
    NodeId consumer;
    std::int32_t producerTag = TagAssignment::kUntagged;
    std::int32_t consumerTag = TagAssignment::kUntagged;
    std::uint64_t bytes = 0; ///< of the producer's output; 0 when unknown
    friend bool operator==(const BackwardEdge&, const BackwardEdge&) = default;
};

/// A parameter, buffer or constant that several parts hold each for themselves.
struct SharedMemory {
    TensorId tensor;                ///< first tensor in it
    std::vector<std::int32_t> tags; ///< that read it, ascending
    std::uint64_t bytes = 0;        ///< of one copy; all but one are duplicates
};

/// A value that is no tensor and leaves its part.
struct NonTensorCrossing {
    NodeId producer;
    NodeId consumer; ///< the first one elsewhere; the output node when it leaves the program
    std::int32_t producerTag = TagAssignment::kUntagged;
};

/// All that can be said about a tag assignment before it is applied.
struct TagReport {
    std::vector<NodeId> untagged;                  ///< call nodes without a tag, in graph order
    std::vector<BackwardEdge> backward;            ///< in order of consumers
    std::vector<std::pair<NodeId, InternedString>> unknownTags; ///< call nodes whose tag is not in the order
    std::vector<std::int32_t> emptyTags;           ///< indices into order of tags that no call node bears
    std::vector<std::int32_t> duplicateTags;       ///< indices into order of tags that stand again later
    std::vector<SharedMemory> shared;              ///< by first tensor
    std::uint64_t duplicatedBytes = 0;             ///< what the copies in `shared` add
    std::vector<NonTensorCrossing> nonTensors;     ///< in graph order
    std::uint64_t boundaryBytes = 0;               ///< tensors that pass from part to part, each value once

    /// True when split_by_tags will not refuse it. (Names that cannot name a module are found by the pass.)
    [[nodiscard]] bool isLegal() const { return untagged.empty() && backward.empty() && unknownTags.empty(); }
};

/// Checks the tags of the root graph. Linear in nodes and arguments; meant for every stroke of a brush.
TagReport checkTags(const Program& program, const TagAssignment& tags);

/// The report as sentences for people, errors first; at most `limit` of a kind, then one that counts the rest.
Diagnostics describe(const TagReport& report, const Program& program, const TagAssignment& tags, std::size_t limit = 1000);

/// "relu (tag b) feeds add (tag a), but b comes after a".
std::string describe(const BackwardEdge& edge, const Graph& graph, const TagAssignment& tags);

/// Whether ops without a tag are to be shown as what is missing, though no split was asked for: two thirds of the `calls` of
/// the root graph are tagged. Before that, untagged is absence of colour.
bool untaggedStandOut(const TagReport& report, std::size_t calls);

} // namespace sunder
