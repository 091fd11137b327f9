// Table of passes. Each pass is defined in its own file.
#include "document/passes/pass.h"

#include <algorithm>

namespace sunder {

Pass splitPass();
Pass splitModulePass();
Pass partitionPass();
Pass moveNonTensorPass();
Pass unflattenPass();
Pass findRegionsPass();
Pass deduplicatePass();

const std::vector<Pass>& passes()
{
    static const std::vector<Pass> all = {
        splitPass(),     splitModulePass(), partitionPass(),   moveNonTensorPass(),
        unflattenPass(), findRegionsPass(), deduplicatePass(),
    };
    return all;
}

const Pass* findPass(const QString& id)
{
    const auto at = std::ranges::find(passes(), id, &Pass::id);
    return at == passes().end() ? nullptr : &*at;
}

} // namespace sunder
