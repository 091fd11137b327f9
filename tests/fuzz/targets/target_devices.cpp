#include "target.h"

#include "io/side_files/devices_file.h"

/// DEVICES.json
SUNDER_TARGET(text)
{
    (void)sunder::parseDevicesFile(text, "devices.json");
}
