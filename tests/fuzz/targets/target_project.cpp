#include "target.h"

#include "io/side_files/project_file.h"

/// PROJECT.sunder: projects that can be read survive a round trip.
SUNDER_TARGET(text)
{
    if (const auto project = sunder::parseProjectFile(text, "project.sunder")) {
        const std::string written = sunder::projectFileText(*project);
        const auto again = sunder::parseProjectFile(written, "written");
        if (!again || sunder::projectFileText(*again) != written)
            __builtin_trap();
    }
}
