#pragma once

#include "analysis/alignment/graph_identity.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Ops at one or several similar places of a model.
struct FoldedPlace {
    /// A module path in which `a–b` or `{a,b}` stands for several numbers, and `*` for any: "layers.6–11.attn". The outermost module
    /// all of whose ops are among them, or one with some of its ops. "the whole model" for all ops; "outside of modules" for ops of
    /// the model itself.
    std::string place;
    std::vector<std::uint32_t> nodes = {}; ///< indices into GraphIdentity::nodes, ascending
};

/// Groups ops by module, so that a list of many ops is short: whole modules, numbered modules together, and enclosing modules if there
/// are more than a few places. Most ops first, then in graph order. `nodes`: ascending. O(nodes · depth² + calls of the graph).
std::vector<FoldedPlace> foldedPlaces(const GraphIdentity& graph, std::span<const std::uint32_t> nodes);

/// Combines module paths that differ in numbers only: "layers.6–11.attn". Paths without a common pattern are combined as `*`.
std::string foldedPath(std::span<const std::string> paths);

/// Returns the path with its numbers replaced by *: the paths that foldedPath() combines well have equal patterns.
std::string numberlessPath(std::string_view path);

/// Counts the operators of ops, most frequent first: "linear ×4, relu, and 3 others".
std::string operatorsText(const GraphIdentity& graph, std::span<const std::uint32_t> nodes);

} // namespace sunder
