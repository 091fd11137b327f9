#include "passes/deduplicate/deduplicate.h"

#include "passes/deduplicate/provable_dedup.h"

namespace sunder {

Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options, ProgressMonitor& monitor)
{
    return ProvableDedup(source, options).attempt(monitor);
}

} // namespace sunder
