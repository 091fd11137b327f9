#pragma once

#include "analysis/legality/legality_tables.h"
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
    friend bool operator==(const SharedMemory&, const SharedMemory&) = default;
};

/// A value that is no tensor, or not one, and leaves its part.
struct NonTensorCrossing {
    NodeId producer;
    NodeId consumer; ///< the first one elsewhere
    std::int32_t producerTag = TagAssignment::kUntagged;
    BoundaryKind kind = BoundaryKind::other;
    friend bool operator==(const NonTensorCrossing&, const NonTensorCrossing&) = default;
};

/// One step of a circle: the first value that goes from one tag to the other, or the first hidden order where none does.
struct TagHop {
    std::int32_t from = TagAssignment::kUntagged;
    std::int32_t to = TagAssignment::kUntagged;
    NodeId producer;
    NodeId consumer;
    std::uint64_t bytes = 0;
    bool isOrder = false; ///< no value flows: `producer` has to run before `consumer`
    friend bool operator==(const TagHop&, const TagHop&) = default;
};

/// Tags that need each other, so that no order of them is legal.
struct TagCircle {
    std::vector<TagHop> hops; ///< the last leads back to where the first begins
    friend bool operator==(const TagCircle&, const TagCircle&) = default;
};

/// Two calls that would run the other way round, though no data edge shows that they must not: the parts would compute something
/// else, and PyTorch does not say so.
struct BrokenOrder {
    HiddenOrder order;
    std::int32_t beforeTag = TagAssignment::kUntagged; ///< comes after the other one
    std::int32_t afterTag = TagAssignment::kUntagged;
    friend bool operator==(const BrokenOrder&, const BrokenOrder&) = default;
};

/// A call that would run under another global state: outside of its region of autocast, under another grad mode.
struct LeftRegion {
    NodeId node;
    NodeId setter; ///< the nearest that it would pass
    std::int32_t tag = TagAssignment::kUntagged;
    std::int32_t setterTag = TagAssignment::kUntagged;
    bool runsBefore = true; ///< it would run before the setter, behind which it stands; else the other way round
    friend bool operator==(const LeftRegion&, const LeftRegion&) = default;
};

/// A memory that one part writes and another part uses. Separate parts have a copy each.
struct SplitState {
    InternedString memory;    ///< name of the memory
    NodeId writer;            ///< invalid: the program writes at its end
    NodeId reader;            ///< uses the outdated copy; invalid: the program returns `value`
    NodeId value;             ///< the input of `reader` in the memory; invalid: `reader` holds it itself
    std::int32_t writerTag = TagAssignment::kUntagged;
    std::int32_t readerTag = TagAssignment::kUntagged; ///< of `value` if the program returns it
    bool isResult = false;    ///< the outdated copy is a value that the program returns
    bool isKnown = true;      ///< false: a call that uses the memory is unknown, or the file has no storage for some tensors
    std::uint32_t number = 0; ///< of the memory, in LegalityTables::written
    friend bool operator==(const SplitState&, const SplitState&) = default;
};

/// Global state that is set in one part and active in another.
struct CutRegion {
    NodeId setter;
    NodeId node;           ///< the first affected node elsewhere; invalid: still set at the end of its part
    InternedString field;  ///< "autocast", "grad mode"; empty if unknown
    std::int32_t setterTag = TagAssignment::kUntagged;
    std::int32_t tag = TagAssignment::kUntagged; ///< of `node`
    bool isMissing = false; ///< `node` would run without it; otherwise with it, although another part resets it earlier
    bool canRepeat = false; ///< separate parts can set it themselves
    friend bool operator==(const CutRegion&, const CutRegion&) = default;
};

/// A value that cannot pass between parts: separate parts of an exported program pass tensors and sizes.
struct BoundCrossing {
    NodeId producer;
    NodeId consumer; ///< the first consumer in another part; invalid: the program returns it whole
    std::int32_t producerTag = TagAssignment::kUntagged;
    std::int32_t consumerTag = TagAssignment::kUntagged;
    friend bool operator==(const BoundCrossing&, const BoundCrossing&) = default;
};

/// See CallIsland.
struct TagIsland {
    std::int32_t tag = TagAssignment::kUntagged;
    std::int32_t neighbour = TagAssignment::kUntagged;
    std::vector<NodeId> nodes; ///< in graph order
    friend bool operator==(const TagIsland&, const TagIsland&) = default;
};

/// All that can be said about a tag assignment before it is applied.
struct TagReport {
    std::vector<NodeId> untagged;                  ///< call nodes without a tag, in graph order
    std::vector<BackwardEdge> backward;            ///< in order of consumers
    std::vector<TagCircle> circles;                ///< shortest ones, a set of tags each (shortestCircles())
    std::vector<BrokenOrder> orders;               ///< as HiddenOrders::pairs
    /// In graph order. None while setters of state have no tag or are turned round themselves, which `orders` then says.
    std::vector<LeftRegion> regions;
    std::vector<std::pair<NodeId, InternedString>> unknownTags; ///< untagged call nodes whose tag is not in the order
    std::vector<std::int32_t> emptyTags;           ///< indices into order of tags that no call node bears
    std::vector<std::int32_t> duplicateTags;       ///< indices into order of tags that stand again later
    std::vector<SharedMemory> shared;              ///< by first tensor
    std::uint64_t duplicatedBytes = 0;             ///< what the copies in `shared` add
    std::vector<NonTensorCrossing> nonTensors;     ///< in graph order
    std::vector<TagIsland> islands;                ///< by first nodes
    // Problems of separate parts only.
    std::vector<SplitState> splitState;            ///< by memories, then by tags of readers
    std::vector<CutRegion> cutRegions;             ///< by setters
    std::vector<BoundCrossing> boundCrossings;     ///< by producers
    std::uint64_t boundaryBytes = 0;               ///< tensors that pass from part to part, each value once

    /// True when split_by_tags will not refuse it. (Names that cannot name a module are found by the pass.)
    [[nodiscard]] bool isLegal() const { return untagged.empty() && backward.empty() && unknownTags.empty(); }
    friend bool operator==(const TagReport&, const TagReport&) = default;
};

/// Checks the tags of the root graph anew. Who asks again and again keeps a LegalityState. O(nodes + arguments + tensors).
TagReport checkTags(const Program& program, const TagAssignment& tags);

/// The report as sentences for people, errors first; at most `limit` of a kind, then one that counts the rest.
Diagnostics describe(const TagReport& report, const Program& program, const TagAssignment& tags, std::size_t limit = 1000);

// Describe problems of separate parts as sentences without a full stop, for the check of tags and for code that writes such
// parts. `tags`: names of the parts in execution order, and the part of each call.
std::string describe(const SplitState& state, const Program& program, const TagAssignment& tags);
std::string describe(const CutRegion& region, const Program& program, const TagAssignment& tags);
std::string describe(const BoundCrossing& crossing, const Program& program, const TagAssignment& tags);

/// "relu (tag b) feeds add (tag a), but b comes after a".
std::string describe(const BackwardEdge& edge, const Graph& graph, const TagAssignment& tags);

/// Whether ops without a tag are to be shown as what is missing, though no split was asked for: two thirds of the `calls` of
/// the root graph are tagged. Before that, untagged is absence of colour.
bool untaggedStandOut(const TagReport& report, std::size_t calls);

} // namespace sunder
