#include "analysis/tag_legality.h"

#include "analysis/legality/legality_state.h"

namespace sunder {

TagReport checkTags(const Program& program, const TagAssignment& tags)
{
    return LegalityState(std::make_shared<const LegalityTables>(legalityTables(program)), tags).report();
}

bool untaggedStandOut(const TagReport& report, std::size_t calls)
{
    const std::size_t untagged = report.untagged.size();
    return untagged > 0 && untagged < calls && 3 * (calls - untagged) >= 2 * calls;
}

} // namespace sunder
