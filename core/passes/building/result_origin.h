#pragma once

#include "ir/program.h"

namespace sunder {

/// Returns the origin of a pass result: that of its source, without the file and its format.
inline ProgramOrigin resultOrigin(const Program& source)
{
    ProgramOrigin origin = source.origin;
    origin.file.clear();
    origin.format.clear();
    return origin;
}

} // namespace sunder
