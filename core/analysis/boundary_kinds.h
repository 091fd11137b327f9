#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The kind of a value at a boundary. Parts in separate processes exchange tensors; other kinds need one process.
enum class BoundaryKind : std::uint8_t {
    tensor,
    unknown, ///< probably a tensor: neither the file nor the target says
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

/// The kinds of the values of calls, per NodeId: by `val`, else by target, since `x.size()` and numbers computed from it are no
/// tensors. O(nodes + arguments).
std::vector<BoundaryKind> boundaryKinds(const Graph& graph, OperatorCatalogue& operators);

/// Whether a graph has calls, and no node has a value. Linear at worst.
bool hasNoValues(const Graph& graph);

/// What to do about that, as sentences.
inline constexpr const char* kNoValues = "No node has a value (val), so the kinds of some values are not known. Run "
                                         "torch.fx.passes.shape_prop.ShapeProp, or export the model with example inputs.";

} // namespace sunder
