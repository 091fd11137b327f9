#pragma once

#include "analysis/representatives.h"
#include "analysis/sizes.h"
#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"

#include <string>
#include <vector>

namespace sunder {

/// Statistics of a group of repeated regions.
struct RegionFigures {
    std::size_t group = 0;    ///< index into the groups of the result
    std::string name = {};        ///< e.g. "R1"; numbered by savings
    std::uint32_t length = 0; ///< ops per region
    std::size_t count = 0;    ///< number of regions
    std::size_t shared = 0;   ///< number of regions replaced by calls; 0 if nothing was shared
    std::uint64_t saved = 0;  ///< ops saved if the regions (only the shared ones, if any) become calls of one graph
    std::uint64_t bytes = 0;  ///< of parameters, buffers and constants that the regions read together; 0: none or unknown
    bool isShared = false;    ///< has a subgraph
};

/// Returns one entry per group, sorted by saved ops, then by bytes, both descending, then in the order found. `dedup`:
/// deduplication result, or null; `sizes`: of the source. O(nodes of the groups).
std::vector<RegionFigures> regionFigures(const RegionResult& regions, const DedupResult* dedup, const ProgramSizes& sizes);

/// Returns a title such as "R1 ×32".
std::string titleOf(const RegionFigures& card);

/// Returns the subgraph calls in the main graph of a deduplicated model, each with the occurrence that it replaces.
std::vector<Representative> regionCalls(const RegionResult& regions, const DedupResult& dedup);

/// Ops of the source that are outside all shared regions, for the same reason.
struct UnsharedOps {
    enum class Why : std::uint8_t {
        repeatNowhere, ///< in no region; located at `where`
        rejected,      ///< in candidate regions that a check rejected
        leftInPlace,   ///< in regions that cannot become calls
    };
    Why why = Why::repeatNowhere;
    std::string where = {};         ///< e.g. "layers.*.mlp" for all modules that match; empty: the root module
    std::vector<NodeId> nodes = {}; ///< in graph order
};

/// Number of ops of a model that are shared or could be, and the ops that are not.
struct SharingSummary {
    std::size_t ops = 0;      ///< calls of the source's root graph
    std::size_t shared = 0;   ///< of those, in shared regions, or in repeated regions if nothing was shared yet
    std::size_t subgraphs = 0; ///< subgraphs that replace the shared ops, or would
    std::size_t calls = 0;    ///< calls of those subgraphs
    std::size_t copies = 0;   ///< ops in those subgraphs: what remains of the shared ops
    std::vector<UnsharedOps> rest = {}; ///< sorted by number of ops, descending

    [[nodiscard]] std::size_t unshared() const { return ops - shared; }
};

/// Summarizes sharing. `dedup`: the deduplication result; if null, all groups count as shared. O(nodes of the graph and of the
/// regions).
SharingSummary sharingSummary(const Program& program, const RegionResult& regions, const DedupResult* dedup);

/// Returns e.g. "in layers.*.mlp", "outside all modules", "in similar regions that cannot share a subgraph", or "in
/// repeated regions that were left in place".
std::string describePlace(const UnsharedOps& ops);

} // namespace sunder
