#pragma once

#include "analysis/run_order/memory_accesses.h"
#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The origin of a value.
enum class StandsFor : std::uint8_t {
    call,  ///< the result of a call
    input, ///< an input of the program
    state, ///< a parameter, buffer, constant or object of the program
    token, ///< an effect token, which holds no data
};

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
    AccessDoubts doubts = {}; ///< of any use
    std::vector<MemoryUse> uses;
};

/// Finds the written memories, in the order of their first uses. Linear.
std::vector<WrittenMemory> writtenMemories(const Program& program, const RankedGraph& graph, const MemoryAccesses& accesses);

/// Returns, per output of the signature, the placeholder that it is written to; invalid for other outputs. Linear.
std::vector<NodeId> writtenPlaceholders(const Program& program);

} // namespace sunder
