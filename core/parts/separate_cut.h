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

/// The changes needed for the parts of a cut to be equivalent to the model when each part runs with its own copies of tensors and
/// values.
struct SeparateCut {
    /// The program and its split, with the same names, in which each part enters, sets, and leaves global state itself, there are
    /// no effect tokens, and parts of a plain graph read their own attributes. Empty if the split needs no change.
    struct Changed {
        Program source;
        SplitResult split;
    };
    std::optional<Changed> changed = {};
    /// Pairs of a part and an input of the program whose tensor it writes to.
    std::vector<std::pair<InternedString, InternedString>> writes = {};
    /// With options.unproven: pairs of a part and the reason why it is not equivalent on its own.
    std::vector<std::pair<InternedString, std::string>> notes = {};
};

struct SeparateCutOptions {
    bool unproven = false; ///< reports parts that are not equivalent as notes instead of errors
};

/// Decides how to separate the parts. Refuses, with the texts of TagReport, values that parts cannot pass on, memory that one
/// part writes and another part has a copy of, and global state that parts cannot repeat. Linear; splits again if the cut
/// changes.
Result<SeparateCut> separateCut(const Program& source, const SplitResult& split, const SeparateCutOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
