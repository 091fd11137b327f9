#include "target.h"

#include "io/side_files/partitioner_files.h"

/// DEVICES.json
SUNDER_TARGET(text)
{
    (void)sunder::parseDevicesFile(text, "devices.json");
}
