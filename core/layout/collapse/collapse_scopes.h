#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

/// How a graph becomes the items of a Picture, before anything has a size or a place.
namespace sunder::collapse {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffU;

/// A module call as nn_module_stacks tell of it.
struct Scope {
    Index parent = kNone; ///< kNone for the root
    Index depth = 0;      ///< 0 for the root
    Index calls = 0;      ///< how many of the scopes down to this one are calls: depth without elements of lists
    InternedString path;
    Index call = 0; ///< the k of "@k" at the end of the frame's key
    InternedString
        cls; ///< of an element of a list that is no call itself: the classes in it, "ResBlock + Attention", "24 × DenseLayer"
};

/// The tree of all module calls. Scope 0 is the root; parents come before children. No more than kMaxDepth calls deep:
/// what a file nests deeper counts to the last call that it may have.
struct ScopeTree {
    static constexpr Index kMaxDepth = 64;
    std::vector<Scope> scopes;
    std::vector<Index> ofStack; ///< per StackId; kNone: the stack names no module at all

    /// The scope just below `outer` on the way to `inner`, which lies below it. O(depth).
    [[nodiscard]] Index childOf(Index outer, Index inner) const;
    /// The innermost scope that holds both. O(depth).
    [[nodiscard]] Index commonOf(Index a, Index b) const;
};

/// Linear in the frames of all stacks. Elements of lists that hold several modules ("down.3" with "down.3.0" and
/// "down.3.1") are scopes too, although nobody calls them. The module at `within` and those around it are no scopes: what
/// lies in them lies in the root. Unfinished once `monitor` was cancelled.
ScopeTree scopesOf(const Program& program, std::string_view within = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder::collapse
