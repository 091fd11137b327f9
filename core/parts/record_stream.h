#pragma once

#include "io/torch_save/storage_archives.h"

namespace sunder {

/// Opens the bytes of a record, `begin` bytes behind its beginning. Errors as those of ZipArchive::openMember().
Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin);

/// Reads until `buffer` is full or the stream ends. Returns the number of bytes. Errors as those of ZipMemberStream::read().
Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer);

/// Checks the CRC of a member that has been read to its end. Does nothing before.
Result<void> checkEnd(ZipMemberStream& stream);

} // namespace sunder
