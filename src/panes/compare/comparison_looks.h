#pragma once

#include "canvas/picture_style.h"
#include "document/document.h"
#include "document/runs/compare_runs.h"

namespace sunder {

/// How what two runs are compared by looks: parts, modules or groups, by the order of their assignments.
struct ComparisonLooks {
    std::vector<TagLook> before;
    std::vector<TagLook> after;
};

/// Parts look as everywhere; a group of the second run as the group of the first that it is taken for.
ComparisonLooks comparisonLooks(const Document& document, const RunComparison& comparison, const RunResult& before,
                                const RunResult& after);

} // namespace sunder
