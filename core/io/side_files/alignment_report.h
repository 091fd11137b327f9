#pragma once

#include "analysis/alignment/carried_tags.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// What tags that were taken over from another export rest on.
struct AlignmentReport {
    const GraphIdentity& old;
    const GraphIdentity& now;
    const GraphAlignment& alignment;
    const CarriedTags& carried;
    std::span<const InternedString> order; ///< of the tags
    std::span<const std::int32_t> oldTags; ///< per node of the old graph
};

/// REPORT.json of `docs/command-line.md`, "tag": counts, a call of the new export a line, and what is lost.
std::string alignmentReportJson(const AlignmentReport& report);

/// Writes it; the file appears whole or not at all.
Result<void> writeAlignmentReport(const AlignmentReport& report, const std::string& path);

} // namespace sunder
