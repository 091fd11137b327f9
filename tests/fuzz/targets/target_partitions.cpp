#include "target.h"

#include "io/side_files/partitions_file.h"

/// PARTITIONS.json
SUNDER_TARGET(text)
{
    (void)sunder::parsePartitionsFile(text, "partitions.json");
}
