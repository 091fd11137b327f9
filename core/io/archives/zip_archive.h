#pragma once

#include "io/archives/zip_directory.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

/// A zip file open for reading, with stored and deflated members and zip64. Names and sizes are taken only from the central
/// directory. Members are decompressed only when read, and never beyond the size in the directory. Opening rejects names that
/// leave the folder, duplicates, and encrypted members. Thread-safe.
class ZipArchive {
public:
    /// Opens an archive. Errors: io if the file cannot be opened; malformed if it is not a valid zip file, naming the member.
    static Result<ZipArchive> open(const std::string& path);
    /// The same for an open file. Fails with io if it, or any of its members, has changed since it was opened.
    static Result<ZipArchive> open(std::shared_ptr<const SourceFile> file);

    [[nodiscard]] const std::string& path() const { return m_file->path(); }
    [[nodiscard]] const std::shared_ptr<const SourceFile>& file() const { return m_file; }
    /// The members in directory order.
    [[nodiscard]] const std::vector<ZipMember>& members() const { return m_members; }
    /// Null if there is no such member. O(1).
    [[nodiscard]] const ZipMember* find(std::string_view name) const;
    /// The single top-level folder that contains all members, with its slash. Empty if there is no such folder.
    [[nodiscard]] std::string commonRoot() const;

    /// Opens a member for reading in pieces. Malformed if there is no such member, its compression method is not supported, or
    /// its uncompressed size is implausible for its compressed size.
    [[nodiscard]] Result<ZipMemberStream> openMember(std::string_view name) const;
    /// Returns a stored member that is itself a zip archive, for reading in place. Unsupported if it is compressed.
    [[nodiscard]] Result<ZipArchive> openArchive(std::string_view name) const;
    /// Passes the uncompressed bytes to `sink` piece by piece, then checks length and CRC. `sink` returns false to stop.
    [[nodiscard]] Result<void> copyMember(std::string_view name, const std::function<bool(std::span<const char>)>& sink) const;
    /// Reads a whole member of at most `limit` bytes.
    [[nodiscard]] Result<std::string> readMember(std::string_view name, std::uint64_t limit) const;

    ZipArchive(ZipArchive&&) = default;
    ZipArchive& operator=(ZipArchive&&) = default;

private:
    ZipArchive() = default;
    [[nodiscard]] Result<void> checkNames();
    [[nodiscard]] Result<void> checkSameMembers() const;
    [[nodiscard]] tl::unexpected<Error> damaged(std::string message, std::string member = {}) const;

    std::shared_ptr<const SourceFile> m_file;
    std::vector<ZipMember> m_members;
    std::unordered_map<std::string_view, std::size_t> m_byName; ///< views into m_members
};

} // namespace sunder
