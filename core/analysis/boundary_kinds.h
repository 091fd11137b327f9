#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The kind of a value at a boundary. Parts in separate processes exchange tensors; other kinds require a single process.
enum class BoundaryKind : std::uint8_t {
    tensor,
    unknown, ///< probably a tensor: neither the file nor the target tells
    tuple,  ///< a tuple, list or dict with tensors
    symbolicSize,
    number, ///< int, float, bool
    other,  ///< a string, None, a size, an autocast region …
};

/// Returns whether a value may cross a boundary without a warning.
constexpr bool countsAsTensor(BoundaryKind kind)
{
    return kind == BoundaryKind::tensor || kind == BoundaryKind::unknown;
}

/// Returns "tensor", "unknown", "tuple", "symbolic_size", "number" or "other".
std::string_view name(BoundaryKind kind);

/// Returns the kinds of the values of calls, per NodeId. The kind follows from `val`, or from the target if there is no `val`:
/// `x.size()` and numbers computed from it are not tensors. O(nodes + arguments).
std::vector<BoundaryKind> boundaryKinds(const Graph& graph, OperatorCatalog& operators);

/// Returns whether a graph has calls but no node has a value. Linear in the worst case.
bool hasNoValues(const Graph& graph);

/// Tells the user, in sentences, how to add missing values.
inline constexpr const char* kNoValues = "No node has a value (val), so the kinds of some values are unknown. Run "
                                         "torch.fx.passes.shape_prop.ShapeProp, or export the model with example inputs.";

} // namespace sunder
