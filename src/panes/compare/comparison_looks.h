#pragma once

#include "canvas/picture_style.h"
#include "document/document.h"
#include "document/runs/compare_runs.h"

namespace sunder {

/// Colors and names of the compared parts, modules, or groups, in the order of their assignments.
struct ComparisonLooks {
    std::vector<TagLook> before;
    std::vector<TagLook> after;
};

/// Returns the looks of two runs. Parts look as in every other view; a group of the second run has the color of its counterpart
/// in the first run.
ComparisonLooks comparisonLooks(const Document& document, const RunComparison& comparison, const RunResult& before,
                                const RunResult& after);

} // namespace sunder
