// Table of result kinds. Each kind is defined in its own file.
#include "document/runs/result_kinds.h"

#include <algorithm>

namespace sunder {

ResultDescription partsResult();
ResultDescription hierarchyResult();
ResultDescription regionsResult();
ResultDescription movesResult();

const std::vector<ResultDescription>& resultKinds()
{
    static const std::vector<ResultDescription> all = {
        partsResult(),
        hierarchyResult(),
        regionsResult(),
        movesResult(),
    };
    return all;
}

const ResultDescription& descriptionOf(ResultKind kind)
{
    return *std::ranges::find(resultKinds(), kind, &ResultDescription::kind);
}

} // namespace sunder
