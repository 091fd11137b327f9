#pragma once

#include "io/source_file.h"

namespace sunder {

/// Looks at how a file begins and at the directory at its end, and says in plain words when it is not a zip archive
/// or not a whole one: empty, a Git LFS pointer, of another kind, truncated, names with zero bytes in them, a
/// directory that does not hold as many members as it says. What passes is for libzip to open. O(directory).
/// Source: PKWARE's APPNOTE.TXT, sections 4.3.12 to 4.3.16.
Result<void> checkZipEnd(const SourceFile& file);

} // namespace sunder
