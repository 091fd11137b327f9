#pragma once

#include "analysis/legality/touched_things.h"
#include "analysis/run_order/call_effects.h"
#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// One use of a memory, by a call or by the program itself.
struct MemoryUse {
    NodeId call;  ///< that reads or writes; invalid: the program, which returns `value`, or writes to it at its end
    NodeId value; ///< by which the memory reaches the call; invalid: a tensor of the module or graph that it calls
    StandsFor from = StandsFor::call; ///< what `value` is
    bool writes = false;
    bool isLate = false; ///< written after all calls, as the signature says; `call` computes what is written
    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// A memory that calls or the signature write to, with all its uses, those of calls in graph order. Parts that are models of
/// their own hold copies of it.
struct WrittenMemory {
    InternedString name; ///< of the first tensor in it, else of the first value
    bool isKnown = true; ///< false: a call that uses it is not known, or the file does not say where tensors lie
    std::vector<MemoryUse> uses;
};

/// The memories that are written, in the order of their first uses. `effects`: per rank. `asksForm`: per rank, 1 for calls that
/// look at where a value lies and at its shape, not at what it holds; `isReshaped`: per thing, 1 where that may change. Linear.
std::vector<WrittenMemory> writtenMemories(const Program& program, const RankedGraph& graph, const TouchedThings& things,
                                           std::span<const CallEffects> effects, std::span<const std::uint8_t> asksForm,
                                           std::span<const std::uint8_t> isReshaped);

/// Per output of the signature: the placeholder that the signature writes it to; invalid for other outputs. Linear.
std::vector<NodeId> writtenPlaceholders(const Program& program);

} // namespace sunder
