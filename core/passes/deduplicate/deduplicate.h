#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/deduplicate/shared_graph_builder.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/verify.h"

#include <map>
#include <optional>
#include <string>

namespace sunder {

/// Deviations from PyTorch's deduplication that make the result easier to verify.
struct CautionOptions {
    CallOrder order = CallOrder::asTorch;
    std::map<std::size_t, std::string> left = {}; ///< group number → why the group stays in place
};

/// Replaces regions by calls of shared subgraphs where the result stays equivalent; see deduplicate().
Result<DedupResult> deduplicateRight(const Program& source, const RegionResult& regions, const CautionOptions& caution,
                                     ProgressMonitor& monitor);

/// Deduplicates a program, and retries more cautiously while the result cannot be verified: first with calls as close as possible
/// to their regions, then without the groups that fail verification, finally without any group.
///
///     ProvableDedup dedup(source, options);
///     do result = dedup.attempt(monitor), report = verifyResult(source, result->program);
///     while (dedup.refine(*result, *report));
class ProvableDedup {
public:
    /// `source` must outlive this object.
    ProvableDedup(const Program& source, RegionOptions options) : m_source(source), m_options(options) {}

    /// Returns the next result; the first one equals that of deduplicate(). Fails as deduplicate() does.
    Result<DedupResult> attempt(ProgressMonitor& monitor = ProgressMonitor::none());
    /// Returns whether attempt() would now give a more cautious result. False if the verdict is `same`, if PyTorch's own result was
    /// requested, or if nothing is shared. True at most 10 times.
    bool refine(const DedupResult& result, const VerifyReport& report);

private:
    [[nodiscard]] std::optional<std::size_t> groupAt(const DedupResult& result, const VerifyReport& report) const;

    const Program& m_source;
    RegionOptions m_options;
    std::optional<RegionResult> m_regions;
    CautionOptions m_caution;
    int m_attempts = 0;
};

/// Replaces repeated regions of the root graph by calls of one subgraph per group, like PyTorch's apply_graph_deduplication. Names,
/// operands, results and order equal PyTorch's wherever PyTorch's result is equivalent to the source.
///
/// By default the result is equivalent to the source: regions that cannot be replaced safely stay in place, with a reason.
/// `asUpstream` returns PyTorch's result even if it is not equivalent, and returns ErrorCode::refused where PyTorch raises.
///
/// Refuses a graph that uses a node before its definition. Fails with ErrorCode::cancelled. About linear, see findRegions(). Use
/// ProvableDedup if the result must be verified.
Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
