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

/// How the parts of a cut have to change to be equivalent to the model when each runs with its own copies of tensors and values.
struct SeparateCut {
    /// The program and its split, with the same names, in which each part enters, sets, and leaves global state itself, there are
    /// no effect tokens, and parts of a plain graph read their own attributes. Empty if the split needs no change.
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
    bool unproven = false; ///< notes instead of errors for parts that are not equivalent
};

/// Refuses, with the texts of TagReport, values that parts cannot pass on, memory that one part writes and another part has a copy
/// of, and global state that parts cannot repeat. Linear; splits again if the cut changes.
Result<SeparateCut> separateCut(const Program& source, const SplitResult& split, const SeparateCutOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
