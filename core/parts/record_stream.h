#pragma once

#include "io/torch_save/storage_archives.h"

namespace sunder {

/// Opens the bytes of a record, starting at offset `begin`. Errors as for ZipArchive::openMember().
Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin);

/// Reads until `buffer` is full or the stream ends. Returns the number of bytes. Errors as for ZipMemberStream::read().
Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer);

/// Checks the CRC of a member that was read to its end. Does nothing otherwise.
Result<void> checkEnd(ZipMemberStream& stream);

} // namespace sunder
