#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"

#include <string>
#include <vector>

namespace sunder {

/// Ops of the source that are in no region that is shared, for one reason.
struct UnsharedOps {
    enum class Why : std::uint8_t {
        repeatNowhere, ///< in no region: at `where`
        rejected,      ///< in regions that growth found and checks dropped
        leftInPlace,   ///< in regions that could not become calls
    };
    Why why = Why::repeatNowhere;
    std::string where = {};         ///< "layers.*.mlp" for all modules of that place; empty: in the model itself
    std::vector<NodeId> nodes = {}; ///< in graph order
};

/// What of a model's ops is shared, or would be, and which ops are not.
struct SharingSummary {
    std::size_t ops = 0;      ///< calls of the source's root graph
    std::size_t shared = 0;   ///< of those, in regions that are shared, or repeat where nothing was shared yet
    std::size_t subgraphs = 0; ///< that they became, or would become, calls of
    std::size_t calls = 0;    ///< of those subgraphs
    std::size_t copies = 0;   ///< ops in those subgraphs together: what of the shared ones is left
    std::vector<UnsharedOps> rest = {}; ///< most ops first

    [[nodiscard]] std::size_t unshared() const { return ops - shared; }
};

/// `dedup`: where regions were shared; null: all groups count, as if they were. O(nodes of the graph and of the regions).
SharingSummary sharingSummary(const Program& program, const RegionResult& regions, const DedupResult* dedup);

/// "in layers.*.mlp", "outside of all modules", "in regions that only look alike", "in regions that were left in place".
std::string describePlace(const UnsharedOps& ops);

} // namespace sunder
