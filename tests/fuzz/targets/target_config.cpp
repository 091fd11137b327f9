#include "target.h"

#include "io/side_files/partitioner_files.h"

/// CONFIG.json
SUNDER_TARGET(text)
{
    (void)sunder::parsePartitionerConfig(text, "config.json");
}
