#pragma once

#include "analysis/legality/written_memory.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The way in which a part of an exported program gets the value of a call in another part.
enum class Handing : std::uint8_t {
    passes, ///< passed as an input: a tensor or symbolic integer
    again,  ///< computed again from the inputs of the part: a number or Boolean
    never,  ///< cannot be passed: consumer and producer must be in one part
};

/// Returns whether a node has several results, which a part of an exported program returns one by one.
bool returnsSeveral(const Node& node);

/// The ways in which values of an exported program's root graph pass between parts.
struct HandedValues {
    std::vector<Handing> handings; ///< per NodeId; of calls
    /// Per NodeId: the call that determines its part: the producer for an item of several results, otherwise the node itself. A
    /// file of an exported program has no getitem.
    std::vector<NodeId> owners;
};

/// Determines how values pass. `written`: the program's written memories. Calls that read written memory, draw random numbers, or
/// have effects are not computed again. Linear.
HandedValues handedValues(const Program& program, std::span<const WrittenMemory> written);

/// A value, and a call whose result depends on the strides or the storage of that value.
struct LayoutReader {
    NodeId value;
    NodeId call;
    friend bool operator==(const LayoutReader&, const LayoutReader&) = default;
};

/// Returns values whose layout may change when they pass to another part, since copies are dense and exclude the surrounding
/// storage, with the calls that depend on it: calls that expose a layout (`as_strided`), and calls that copy only in some cases
/// (`contiguous`, `reshape`) if the memory of their argument or result is written. By calls in graph order. O(nodes × views of
/// one value).
std::vector<LayoutReader> layoutReaders(const Program& program, std::span<const WrittenMemory> written);

} // namespace sunder
