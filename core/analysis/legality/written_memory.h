#pragma once

#include "analysis/legality/memory_locations.h"
#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// One use of a memory, by a call or by the program itself.
struct MemoryUse {
    NodeId call;  ///< reads or writes; invalid: the program, which returns `value` or writes to it when it ends
    NodeId value; ///< the input in the memory; invalid: the memory belongs to a tensor of the called module or graph
    StandsFor from = StandsFor::call; ///< the origin of `value`
    bool writes = false;
    bool isLate = false; ///< written after all calls, by the signature; `call` computes the new value
    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// A memory that calls or the signature write to, with all its uses; those of calls are in graph order. Separate parts hold
/// copies of it.
struct WrittenMemory {
    InternedString name; ///< of the first tensor in it, otherwise of the first value
    bool isKnown = true; ///< false: a call that uses it is unknown, or the file has no storage for some tensors
    std::vector<MemoryUse> uses;
};

/// Finds the written memories, in the order of their first uses. `effects`: per rank. `asksForm`: per rank, 1 for calls that only
/// use location and shape of a value, not its contents. `isReshaped`: per thing, 1 if its shape may change. Linear.
std::vector<WrittenMemory> writtenMemories(const Program& program, const RankedGraph& graph, const MemoryLocations& things,
                                           std::span<const CallEffects> effects, std::span<const std::uint8_t> asksForm,
                                           std::span<const std::uint8_t> isReshaped);

/// Returns, per output of the signature, the placeholder that it is written to; invalid for other outputs. Linear.
std::vector<NodeId> writtenPlaceholders(const Program& program);

} // namespace sunder
