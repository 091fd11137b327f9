#pragma once

#include "passes/unflatten/call_signatures.h"
#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/module_stacks.h"
#include "passes/unflatten/unflatten.h"

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

constexpr std::size_t kMaxModuleDepth = 500; ///< limit of path components in the module tree

/// The flat graph as PyTorch prepares it before it considers modules.
struct FlatProgram {
    const Program& source;
    std::optional<Program> changed = {};
    std::vector<MutationCopy> copies = {};
    std::vector<ReplacedNode> replaced = {};
    std::vector<InternedString> dropped = {}; ///< names of dead ops

    [[nodiscard]] const Program& program() const { return changed ? *changed : source; }
};

/// All decisions before a flat graph is split: where mutations happen, which calls are open at each node, and which modules keep
/// their signatures. With it, outline() finds every value.
struct UnflattenPlan {
    std::shared_ptr<const FlatProgram> flat;
    ModuleStacks stacks;
    std::vector<CallChange> changes;
    CallSignatures signatures; ///< those that are kept
    Diagnostics notes;         ///< truncated stacks, dropped signatures

    [[nodiscard]] const Program& program() const { return flat->program(); }
};

struct UnflattenPlans {
    UnflattenPlan plan;
    /// Set if a buffer passes a stale value into a module with a preserved signature. The plan with these signatures is that of
    /// torch. It is right if the value does not affect the result, which only a comparison of its result with the source can
    /// tell: `copy(stale, x)` ignores the contents of `stale`, unless they require gradients.
    std::optional<UnflattenPlan> stale;
};

/// Plans how to unflatten a program, which must outlive the plans. Starts with all signatures, and all mutations where their
/// values are computed. Then it drops the signatures that make a value inaccessible or stale, and moves mutations to the end
/// where an old value is read after them, until no fault is left: every change may move values to other calls. Linear in nodes
/// plus arguments, times the depth of stacks, per repetition; there are at most as many repetitions as signatures and mutations.
Result<UnflattenPlans> planUnflattening(const Program& source, const UnflattenOptions& options, ProgressMonitor& monitor);

} // namespace sunder
