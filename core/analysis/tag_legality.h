#pragma once

#include "analysis/legality/legality_tables.h"
#include "analysis/tag_assignment.h"
#include "support/diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sunder {

/// An edge from a later tag to an earlier one: the value is computed after the part that needs it.
struct BackwardEdge {
    NodeId producer;
    NodeId consumer;
    std::int32_t producerTag = TagAssignment::kUntagged;
    std::int32_t consumerTag = TagAssignment::kUntagged;
    std::uint64_t bytes = 0; ///< of the producer's output; 0 if unknown
    friend bool operator==(const BackwardEdge&, const BackwardEdge&) = default;
};

/// A parameter, buffer, or constant that several parts hold a copy of.
struct SharedMemory {
    TensorId tensor;                ///< the first tensor in the memory
    std::vector<std::int32_t> tags; ///< tags that read it, ascending
    std::uint64_t bytes = 0;        ///< of one copy; all copies except one are duplicates
    friend bool operator==(const SharedMemory&, const SharedMemory&) = default;
};

/// A value that leaves its part and is not a single tensor.
struct NonTensorCrossing {
    NodeId producer;
    NodeId consumer; ///< the first consumer in another part
    std::int32_t producerTag = TagAssignment::kUntagged;
    BoundaryKind kind = BoundaryKind::other;
    friend bool operator==(const NonTensorCrossing&, const NonTensorCrossing&) = default;
};

/// One step of a cycle: the first value that passes from one tag to the other, otherwise the first runtime order dependency.
struct TagHop {
    std::int32_t from = TagAssignment::kUntagged;
    std::int32_t to = TagAssignment::kUntagged;
    NodeId producer;
    NodeId consumer;
    std::uint64_t bytes = 0;
    bool isOrder = false; ///< no value passes, but `producer` must run before `consumer`
    friend bool operator==(const TagHop&, const TagHop&) = default;
};

/// Tags that depend on each other, so that no order of them is legal.
struct TagCycle {
    std::vector<TagHop> hops; ///< the last hop leads back to the start of the first
    friend bool operator==(const TagCycle&, const TagCycle&) = default;
};

/// Two calls whose order a split would reverse although it matters, without a data edge between them. The parts would compute
/// something else, and PyTorch does not report it.
struct BrokenOrder {
    OrderDependency order;
    std::int32_t beforeTag = TagAssignment::kUntagged; ///< follows `afterTag` in the order of tags
    std::int32_t afterTag = TagAssignment::kUntagged;
    friend bool operator==(const BrokenOrder&, const BrokenOrder&) = default;
};

/// A call that would run under a different global state: outside its autocast region, or under another grad mode.
struct LeftRegion {
    NodeId node;
    NodeId setter; ///< the nearest setter that the call would pass
    std::int32_t tag = TagAssignment::kUntagged;
    std::int32_t setterTag = TagAssignment::kUntagged;
    bool runsBefore = true; ///< the call would run before the setter, but follows it in the graph; false: the reverse
    friend bool operator==(const LeftRegion&, const LeftRegion&) = default;
};

/// A memory that one part writes and another part uses. Separate parts have a copy each.
struct SplitState {
    InternedString memory;    ///< name of the memory
    NodeId writer;            ///< invalid: the program writes when it ends
    NodeId reader;            ///< uses the outdated copy; invalid: the program returns `value`
    NodeId value;             ///< the input of `reader` in the memory; invalid: `reader` owns the memory
    std::int32_t writerTag = TagAssignment::kUntagged;
    std::int32_t readerTag = TagAssignment::kUntagged; ///< of `value` if the program returns it
    bool isResult = false;    ///< the outdated copy is a value that the program returns
    AccessDoubts doubts = {}; ///< of any use of the memory
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
    std::int32_t neighbor = TagAssignment::kUntagged;
    std::vector<NodeId> nodes; ///< in graph order
    friend bool operator==(const TagIsland&, const TagIsland&) = default;
};

/// All findings about a tag assignment before it is applied.
struct TagReport {
    std::vector<NodeId> untagged;                  ///< call nodes without a tag, in graph order
    std::vector<BackwardEdge> backward;            ///< in order of consumers
    std::vector<TagCycle> circles;                ///< a shortest cycle per set of interdependent tags (shortestCircles())
    std::vector<BrokenOrder> orders;               ///< as OrderDependencies::pairs
    /// In graph order. Empty while setters of state are untagged or reordered; `orders` then reports the latter.
    std::vector<LeftRegion> regions;
    std::vector<std::pair<NodeId, InternedString>> unknownTags; ///< untagged call nodes whose tag is not in the order
    std::vector<std::int32_t> emptyTags;           ///< indices into order of tags without call nodes
    std::vector<std::int32_t> duplicateTags;       ///< indices into order of tags that occur again later
    std::vector<SharedMemory> shared;              ///< by first tensor
    std::uint64_t duplicatedBytes = 0;             ///< total size of the additional copies in `shared`
    std::vector<NonTensorCrossing> nonTensors;     ///< in graph order
    std::vector<TagIsland> islands;                ///< by first node
    // Problems of separate parts only.
    std::vector<SplitState> splitState;            ///< by memory, then by tag of the reader
    std::vector<CutRegion> cutRegions;             ///< by setter
    std::vector<BoundCrossing> boundCrossings;     ///< by producer
    std::uint64_t boundaryBytes = 0;               ///< tensors that pass between parts, each value once

    /// Returns whether split_by_tags accepts the tags, except for names that cannot name a module, which the pass checks.
    [[nodiscard]] bool isLegal() const { return untagged.empty() && backward.empty() && unknownTags.empty(); }
    friend bool operator==(const TagReport&, const TagReport&) = default;
};

/// Checks the tags of the root graph from scratch. Use a LegalityState for repeated checks. O(nodes + arguments + tensors).
TagReport checkTags(const Program& program, const TagAssignment& tags);

/// Describes the report in sentences, errors first: at most `limit` per kind, then a sentence that counts the rest.
Diagnostics describe(const TagReport& report, const Program& program, const TagAssignment& tags, std::size_t limit = 1000);

// Describe problems of separate parts as sentences without a full stop, for the tag check and for code that writes such parts.
// `tags`: names of the parts in execution order, and the part of each call.
std::string describe(const SplitState& state, const Program& program, const TagAssignment& tags);
/// Returns a sentence per reason, each preceded by a space; empty without doubts.
std::string describe(const AccessDoubts& doubts);
std::string describe(const CutRegion& region, const Program& program, const TagAssignment& tags);
std::string describe(const BoundCrossing& crossing, const Program& program, const TagAssignment& tags);

/// Returns "relu (tag b) feeds add (tag a), but b comes after a".
std::string describe(const BackwardEdge& edge, const Graph& graph, const TagAssignment& tags);

/// Returns whether to highlight ops without a tag as missing although no split was requested: if two thirds of the `calls` of the
/// root graph are tagged. Below that, untagged ops just have no color.
bool untaggedStandOut(const TagReport& report, std::size_t calls);

} // namespace sunder
