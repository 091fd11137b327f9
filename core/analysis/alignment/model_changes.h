#pragma once

#include "analysis/alignment/carried_tags.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// What happened to ops between two exports of a model, the most important to a reader first.
enum class ModelChangeKind : std::uint8_t {
    added,     ///< new ops
    lost,      ///< ops of the old export without a match, except replaced ones
    undecided, ///< ops with several possible matches
    replaced,  ///< ops at the place of lost ones: a replacement or decomposition
    moved,     ///< the same ops with other inputs
    renamed,   ///< the same ops in another module
    resized,   ///< the same ops with results or weights of another shape or data type
};

/// Returns "new", "lost", "undecided", "replaced", "moved", "renamed", or "resized".
std::string_view name(ModelChangeKind kind);

/// Ops at one place that changed in the same way.
struct ModelChange {
    ModelChangeKind kind = ModelChangeKind::added;
    std::string place; ///< see FoldedPlace; of lost ops in the old export
    std::string from = {}; ///< the old place of renamed and replaced ops, if it is another one
    std::int32_t tag = TagAssignment::kUntagged; ///< that the ops got; that lost ops had
    std::int32_t suggestion = TagAssignment::kUntagged; ///< for ops without a tag
    bool isEitherWay = false; ///< see CarriedTag
    std::string operators = {}; ///< see operatorsText()
    std::vector<std::uint32_t> nodes = {}; ///< of the new graph; lost: of the old one
    std::vector<std::uint32_t> replaced = {}; ///< ops of the old graph that these replace
};

/// The changes between two exports, folded by module.
struct ModelChanges {
    std::vector<ModelChange> changes; ///< by kind, then most ops first
    std::size_t unchanged = 0; ///< ops that match by identity or structure in the same module, with the same shapes
};

/// Lists the ops that are not the same in the same module. `oldTags`: per node of the old graph. O(nodes · depth of modules).
ModelChanges modelChanges(const GraphIdentity& old, const GraphIdentity& now, const GraphAlignment& alignment,
                          const CarriedTags& carried, std::span<const std::int32_t> oldTags);

} // namespace sunder
