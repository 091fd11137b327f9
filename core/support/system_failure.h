#pragma once

#include "support/result.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace sunder {

/// "cannot open: No such file or directory", of a system call that just failed.
inline tl::unexpected<Error> failWithErrno(const std::string& path, const char* doing)
{
    return fail(ErrorCode::io, std::string("cannot ") + doing + ": " + std::strerror(errno), {.file = path});
}

} // namespace sunder
