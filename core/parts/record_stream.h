#pragma once

#include "io/torch_save/storage_archives.h"

namespace sunder {

/// Opens the bytes of a record, `begin` bytes behind its beginning. Errors as those of ZipArchive::openMember().
Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin);

/// Fills `buffer` as far as there are bytes, whatever lengths the stream gives at once, and returns how many came. Errors as those of
/// ZipMemberStream::read().
Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer);

/// Checks the CRC of a member that has been read to its end. Does nothing before.
Result<void> checkEnd(ZipMemberStream& stream);

} // namespace sunder
