#include "target.h"

#include "io/side_files/subgraphs_file.h"

/// SUBGRAPHS.json
SUNDER_TARGET(text)
{
    (void)sunder::parseSubgraphsFile(text, "subgraphs.json");
}
