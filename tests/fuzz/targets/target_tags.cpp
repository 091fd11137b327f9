#include "target.h"

#include "io/side_files/tags_file.h"

/// TAGS.json
SUNDER_TARGET(text)
{
    (void)sunder::parseTagsFile(text, "tags.json");
}
