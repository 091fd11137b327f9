#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

/// Turns a graph into the items of a Picture, before sizes and positions are known.
namespace sunder::collapse {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffU;

/// A module call from the nn_module_stack metadata.
struct Scope {
    Index parent = kNone; ///< kNone for the root
    Index depth = 0;      ///< 0 for the root
    Index calls = 0;      ///< number of calls from the root to this scope, i.e. depth without list elements
    InternedString path;
    Index call = 0; ///< the k of "@k" at the end of the frame's key
    InternedString cls; ///< for a list element without a call: its classes, "ResBlock + Attention" or "24 × DenseLayer"
};

/// The tree of all module calls. Scope 0 is the root; parents precede their children. At most kMaxDepth calls deep: contents of
/// deeper calls are assigned to the last allowed call.
struct ScopeTree {
    static constexpr Index kMaxDepth = 64;
    std::vector<Scope> scopes;
    std::vector<Index> ofStack; ///< per StackId; kNone: the stack names no module

    /// The scope directly below `outer` on the path to `inner`, a scope below `outer`. O(depth).
    [[nodiscard]] Index childOf(Index outer, Index inner) const;
    /// The innermost scope that contains both. O(depth).
    [[nodiscard]] Index commonOf(Index a, Index b) const;
};

/// Returns the scopes of a program. Linear in the frames of all stacks. Elements of lists that contain several modules ("down.3"
/// with "down.3.0" and "down.3.1") are scopes too, although they are never called. The module at `within` and its enclosing
/// modules are not scopes: their contents belong to the root. Fails only when canceled.
Result<ScopeTree> scopesOf(const Program& program, std::string_view within, ProgressMonitor& monitor);

} // namespace sunder::collapse
