#include "target.h"

#include "io/side_files/identity_file.h"

/// IDENTITY.json
SUNDER_TARGET(text)
{
    (void)sunder::parseIdentity(text, "identity.json");
}
