#pragma once

#include "analysis/legality/written_memory.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// How a part of an exported program gets the value of a call in another part.
enum class Handing : std::uint8_t {
    passes, ///< as an input: a tensor, a symbolic integer
    again,  ///< it computes it again from what it takes: a number or truth value
    never,  ///< not at all: reader and call have to be in one part
};

/// Whether a node gives several values, which a part of an exported program gives one by one.
bool givesSeveral(const Node& node);

/// How values of an exported program's root graph get from part to part.
struct HandedValues {
    std::vector<Handing> handings; ///< per NodeId; of calls
    /// Per NodeId: the call in whose part it is: of an item of several results the call that gives them, else itself. A file of an
    /// exported program has no getitem.
    std::vector<NodeId> owners;
};

/// `written`: of the program. What reads memory that is written, draws random numbers or has effects is not computed again. Linear.
HandedValues handedValues(const Program& program, std::span<const WrittenMemory> written);

} // namespace sunder
