#pragma once

#include "ir/program.h"

namespace sunder {

/// The origin of what a pass makes of a program: that of the program, but no file holds it.
inline ProgramOrigin resultOrigin(const Program& source)
{
    ProgramOrigin origin = source.origin;
    origin.file.clear();
    origin.format.clear();
    return origin;
}

} // namespace sunder
