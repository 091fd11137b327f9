#pragma once

#include "analysis/alignment/carried_tags.h"
#include "support/json_writer.h"
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

/// Writes the member "counts": the number of calls by how they were matched.
void writeMatchCounts(const AlignmentReport& report, JsonWriter& json);

/// Writes a REPORT.json (format: `docs/command-line.md`): counts, a line per call of the new export, and lost tags. Atomic.
Result<void> writeAlignmentReport(const AlignmentReport& report, const std::string& path);

} // namespace sunder
