#include "target.h"

#include "io/partitioner_files.h"

/// DEVICES.json
SUNDER_TARGET(text)
{
    (void)sunder::parseDevicesFile(text, "devices.json");
}
