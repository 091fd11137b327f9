#include "target.h"

#include "io/side_files/rules_file.h"

/// RULES.json
SUNDER_TARGET(text)
{
    (void)sunder::parseRulesFile(text, "rules.json");
}
