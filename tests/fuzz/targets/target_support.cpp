#include "target.h"

#include "io/side_files/support_files.h"

/// SUPPORT.json and OPTIONS.json
SUNDER_TARGET(text)
{
    (void)sunder::parseSupportFile(text, "support.json");
    (void)sunder::parseSupportOptions(text, sunder::SupportMethod::capability, "options.json");
    (void)sunder::parseSupportOptions(text, sunder::SupportMethod::splitter, "options.json");
}
