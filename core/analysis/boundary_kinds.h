#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// What a value is that parts can hand on only where they run in one process: accelerators exchange tensors.
enum class BoundaryKind : std::uint8_t {
    tensor,
    unknown, ///< most often a tensor: the file does not say, nor does what is called
    tuple,  ///< tensors in a tuple, list or dict
    symbolicSize,
    number, ///< int, float, bool
    other,  ///< a text, None, a size, a region of autocast …
};

/// Whether a value may pass without a word.
constexpr bool countsAsTensor(BoundaryKind kind)
{
    return kind == BoundaryKind::tensor || kind == BoundaryKind::unknown;
}

/// "tensor", "unknown", "tuple", "symbolic_size", "number", "other".
std::string_view name(BoundaryKind kind);

/// Per NodeId of a graph, of calls: by `val`; where a node has none, by its target, which tells that `x.size()` and what is computed
/// of it give no tensor. O(nodes + arguments).
std::vector<BoundaryKind> boundaryKinds(const Graph& graph, OperatorCatalogue& operators);

/// Whether a graph has calls, and no node has a value. Linear at worst.
bool hasNoValues(const Graph& graph);

/// What to do about that, as sentences.
inline constexpr const char* kNoValues = "No node has a value (val), so it is not known of all values what they are. Run "
                                         "torch.fx.passes.shape_prop.ShapeProp, or export the model with example inputs.";

} // namespace sunder
