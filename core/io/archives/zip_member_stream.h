#pragma once

#include "io/archives/zip_directory.h"

#include <memory>
#include <span>

namespace sunder {

/// Reads the uncompressed bytes of one member sequentially. Streams keep the file open.
class ZipMemberStream {
public:
    /// Opens a member. Malformed if there is no local header at the offset in the directory.
    [[nodiscard]] static Result<ZipMemberStream> open(std::shared_ptr<const SourceFile> file, const ZipMember& member);
    /// Fills `buffer` from its start and returns the number of bytes. 0 at the end, after length and CRC were checked. Malformed
    /// if the data is damaged or has another length than in the directory.
    [[nodiscard]] Result<std::size_t> read(std::span<char> buffer);
    /// Skips up to this many bytes. Immediate in a stored member, whose CRC is then not checked.
    [[nodiscard]] Result<void> skip(std::uint64_t bytes);
    [[nodiscard]] const ZipMember& member() const { return m_member; }
    /// Offset in the file of the member's data, compressed or not.
    [[nodiscard]] std::uint64_t dataOffset() const { return m_data; }
    /// Number of bytes returned so far.
    [[nodiscard]] std::uint64_t position() const { return m_position; }

private:
    struct Inflater;
    ZipMemberStream() = default;
    [[nodiscard]] Result<void> findData();
    [[nodiscard]] Result<std::size_t> readStored(std::span<char> buffer);
    [[nodiscard]] Result<std::size_t> inflate(std::span<char> buffer);
    [[nodiscard]] Result<std::size_t> readPacked(std::span<char> buffer);
    [[nodiscard]] tl::unexpected<Error> damaged(const std::string& message) const;

    std::shared_ptr<const SourceFile> m_file;
    ZipMember m_member;
    std::shared_ptr<Inflater> m_inflater; ///< null for a stored member
    std::uint64_t m_data = 0; ///< offset of the data in the file
    std::uint64_t m_packedPosition = 0;
    std::uint64_t m_position = 0;
    std::uint32_t m_crc = 0;
    bool m_hasGaps = false; ///< bytes were skipped, so the CRC cannot be checked
};

} // namespace sunder
