#include "target.h"

#include "io/partitioner_files.h"

/// CONFIG.json
SUNDER_TARGET(text)
{
    (void)sunder::parsePartitionerConfig(text, "config.json");
}
