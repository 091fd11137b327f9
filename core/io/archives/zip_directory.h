#pragma once

#include "io/archives/source_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A member as described by the central directory.
struct ZipMember {
    std::string name;
    std::uint64_t size = 0;       ///< uncompressed size in bytes
    std::uint64_t packedSize = 0; ///< size in the archive in bytes
    std::uint64_t offset = 0;     ///< offset of its local header
    std::uint32_t crc = 0;
    bool stored = false; ///< not compressed
    bool readable = false; ///< stored or deflated
};

/// Reads the members of a zip archive in the order of its central directory.
///
/// Explains in plain words if a file is not a complete archive: empty, a Git LFS pointer, another kind of file, truncated, names
/// with zero bytes, or a wrong number of members. Rejects members that are encrypted or extend beyond the file. A million members
/// take well under a second: O(directory). Source: PKWARE's APPNOTE.TXT, sections 4.3.12 to 4.3.16 and 4.5.3.
Result<std::vector<ZipMember>> readZipDirectory(const SourceFile& file);

/// Reads a little-endian number of `width` bytes.
std::uint64_t littleEndian(std::string_view bytes, std::size_t at, unsigned width);

} // namespace sunder
