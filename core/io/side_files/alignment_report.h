#pragma once

#include "analysis/alignment/carried_tags.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// The basis of tags that were transferred from another export.
struct AlignmentReport {
    const GraphIdentity& old;
    const GraphIdentity& now;
    const GraphAlignment& alignment;
    const CarriedTags& carried;
    std::span<const InternedString> order; ///< of the tags
    std::span<const std::int32_t> oldTags; ///< per node of the old graph
};

/// Returns the REPORT.json of `docs/command-line.md`, "tag": counts, one line per call of the new export, and lost tags.
std::string alignmentReportJson(const AlignmentReport& report);

/// Writes the report; the file is replaced atomically.
Result<void> writeAlignmentReport(const AlignmentReport& report, const std::string& path);

} // namespace sunder
