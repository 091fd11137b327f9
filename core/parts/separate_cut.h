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

/// The changes to a cut that make separate parts equivalent to the whole. Each part has copies of its weights and inputs,
/// shared with no other part.
struct SeparateCut {
    /// The changed program and its split, with the same names, if the original split cannot be used. In it, each part enters,
    /// sets, and leaves the global state of its calls itself, effect tokens are removed, and parts of a plain graph read their
    /// attributes themselves. Empty if the original split can be used.
    struct Changed {
        Program source;
        SplitResult split;
    };
    std::optional<Changed> changed = {};
    /// With options.unproven: a part, and why it may not be equivalent on its own.
    std::vector<std::pair<InternedString, std::string>> notes = {};
};

struct SeparateCutOptions {
    bool unproven = false; ///< accept parts that are not equivalent on their own
};

/// Refuses, with the messages of the tag check (TagReport), values that cannot pass between parts, writes to memory that several
/// parts have copies of, and state that parts cannot set again. Linear, plus the time of a split if the cut changes.
Result<SeparateCut> separateCut(const Program& source, const SplitResult& split, const SeparateCutOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
