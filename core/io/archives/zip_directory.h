#pragma once

#include "io/archives/source_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A member as the central directory describes it.
struct ZipMember {
    std::string name;
    std::uint64_t size = 0;       ///< bytes after unpacking
    std::uint64_t packedSize = 0; ///< bytes in the archive
    std::uint64_t offset = 0;     ///< where its local header is
    std::uint32_t crc = 0;
    bool stored = false; ///< not compressed
    bool readable = false; ///< stored or deflated
};

/// The members of a zip archive, in the order of the directory at its end. Says in plain words when a file is no archive
/// or not a whole one: empty, a Git LFS pointer, of another kind, truncated, names with zero bytes in them, a directory
/// that does not hold as many members as it says; and refuses members that are encrypted or lie outside of the file. A
/// million members take well under a second: O(directory).
/// Source: PKWARE's APPNOTE.TXT, sections 4.3.12 to 4.3.16 and 4.5.3.
Result<std::vector<ZipMember>> readZipDirectory(const SourceFile& file);

/// The number in `width` bytes, the lowest first.
std::uint64_t littleEndian(std::string_view bytes, std::size_t at, unsigned width);

} // namespace sunder
