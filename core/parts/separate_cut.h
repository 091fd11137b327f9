#pragma once

#include "analysis/tag_legality.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// What it takes that parts of a cut compute what the whole does as models of their own, each with copies of what it holds and
/// takes.
struct SeparateCut {
    /// Where parts cannot be as the split has them: the program and its split, by the same names, in which each part enters,
    /// sets and leaves the global state of its calls itself, effect tokens are gone, and parts of a plain graph read their
    /// attributes themselves. Otherwise the cut is as it was.
    struct Changed {
        Program source;
        SplitResult split;
    };
    std::optional<Changed> changed = {};
    /// Parts, and inputs of the program whose tensors they change.
    std::vector<std::pair<InternedString, InternedString>> writes = {};
    /// Of options.unproven: a part, and why it computes something else on its own.
    std::vector<std::pair<InternedString, std::string>> notes = {};
};

struct SeparateCutOptions {
    bool unproven = false; ///< goes on where parts on their own compute something else
};

/// Refuses, in the words of the check of tags (TagReport), what parts cannot hand on, memory of which parts hold copies though one
/// of them writes to it, and state that parts cannot set again. Linear, and what a split takes where the cut changes.
Result<SeparateCut> separateCut(const Program& source, const SplitResult& split, const SeparateCutOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
