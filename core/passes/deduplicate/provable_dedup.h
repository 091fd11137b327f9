#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/right_deduplicate.h"
#include "passes/regions/find_regions.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/verify.h"

#include <optional>

namespace sunder {

/// Deduplicates, and when the result could not be proven, again with more caution: first with calls as near as possible
/// to where the regions stood, then without the groups that the verifier stumbles over, in the end without any.
///
///     ProvableDedup dedup(source, options);
///     do result = dedup.attempt(monitor), report = verifyResult(source, result->program);
///     while (dedup.refine(*result, *report));
class ProvableDedup {
public:
    /// `source` outlives this.
    ProvableDedup(const Program& source, RegionOptions options) : m_source(source), m_options(options) {}

    /// The next result; the first one is that of deduplicate(). Fails as deduplicate() does.
    Result<DedupResult> attempt(ProgressMonitor& monitor = ProgressMonitor::none());
    /// Whether attempt() would now give another, more cautious result. False when the report is `same`, when torch's own
    /// result was asked for, and when nothing is shared any more. True at most 10 times.
    bool refine(const DedupResult& result, const VerifyReport& report);

private:
    [[nodiscard]] std::optional<std::size_t> groupAt(const DedupResult& result, const VerifyReport& report) const;

    const Program& m_source;
    RegionOptions m_options;
    std::optional<RegionResult> m_regions;
    CautionOptions m_caution;
    int m_attempts = 0;
};

} // namespace sunder
