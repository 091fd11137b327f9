#pragma once

#include "support/result.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace sunder {

/// Returns the error of a system call that just failed, e.g. "cannot open: No such file or directory".
inline tl::unexpected<Error> failWithErrno(const std::string& path, const char* doing)
{
    return fail(ErrorCode::io, std::string("cannot ") + doing + ": " + std::strerror(errno), {.file = path});
}

} // namespace sunder
