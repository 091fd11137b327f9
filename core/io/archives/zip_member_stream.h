#pragma once

#include "io/archives/zip_directory.h"

#include <memory>
#include <span>

namespace sunder {

/// The unpacked bytes of one member, front to back. The file stays open as long as its streams.
class ZipMemberStream {
public:
    /// Malformed when there is no local header where the directory says.
    [[nodiscard]] static Result<ZipMemberStream> open(std::shared_ptr<const SourceFile> file, const ZipMember& member);
    /// Fills `buffer` from the front and returns how many bytes came; 0 at the end, where length and CRC have been
    /// checked. Malformed when the data are damaged or longer or shorter than the directory says.
    [[nodiscard]] Result<std::size_t> read(std::span<char> buffer);
    /// Leaves out bytes that follow, as far as there are any: at once in a stored member, whose CRC is then not checked.
    [[nodiscard]] Result<void> skip(std::uint64_t bytes);
    [[nodiscard]] const ZipMember& member() const { return m_member; }
    /// Where in the file its bytes begin, packed or not.
    [[nodiscard]] std::uint64_t dataOffset() const { return m_data; }
    /// Bytes given out so far.
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
    std::uint64_t m_data = 0;             ///< where in the file its bytes begin
    std::uint64_t m_packedPosition = 0;
    std::uint64_t m_position = 0;
    std::uint32_t m_crc = 0;
    bool m_hasGaps = false; ///< bytes were left out, so the CRC says nothing
};

} // namespace sunder
