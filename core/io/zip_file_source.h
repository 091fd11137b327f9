#pragma once

#include "io/source_file.h"

#include <memory>

struct zip;

namespace sunder {

/// Opens a zip archive for libzip to read through `file`, which stays open as long as the archive. Null with libzip's
/// words in `why` when it is no archive.
zip* openZip(std::shared_ptr<const SourceFile> file, std::string& why);

} // namespace sunder
