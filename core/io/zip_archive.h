#pragma once

#include "io/source_file.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct zip;
struct zip_file;

namespace sunder {

/// A member as the central directory describes it.
struct ZipMember {
    std::string name;
    std::uint64_t size = 0;       ///< bytes after unpacking
    std::uint64_t packedSize = 0; ///< bytes in the archive
    std::uint32_t crc = 0;
    bool stored = false; ///< not compressed
    bool readable = false; ///< stored or deflated
};

class ZipMemberStream;

/// A zip file open for reading: stored and deflated members, zip64. Only the central directory is trusted with names
/// and sizes; nothing is unpacked before it is read, and never more than the directory says. Opening refuses names
/// that leave the folder, duplicates and encrypted members. Not thread-safe.
class ZipArchive {
public:
    /// Errors: io when the file cannot be opened, malformed when it is not a sound zip, naming the member.
    static Result<ZipArchive> open(const std::string& path);
    /// The same of a file that is open. Fails with io when it has changed since, its members included.
    static Result<ZipArchive> open(std::shared_ptr<const SourceFile> file);

    [[nodiscard]] const std::string& path() const { return m_file->path(); }
    [[nodiscard]] const std::shared_ptr<const SourceFile>& file() const { return m_file; }
    /// In the order of the directory.
    [[nodiscard]] const std::vector<ZipMember>& members() const { return m_members; }
    /// Null when there is none of that name. O(1).
    [[nodiscard]] const ZipMember* find(std::string_view name) const;
    /// The one folder that every member lies in, with its slash; empty when members lie at the top or in several.
    [[nodiscard]] std::string commonRoot() const;

    /// Opens a member for reading in pieces. Malformed when there is none, or when it is packed in a way that is not
    /// read or claims to unpack to more than its packed size makes plausible.
    [[nodiscard]] Result<ZipMemberStream> openMember(std::string_view name) const;
    /// Passes the unpacked bytes to `sink` piece by piece, then checks length and CRC. `sink` returns false to stop.
    [[nodiscard]] Result<void> copyMember(std::string_view name,
                                          const std::function<bool(std::span<const char>)>& sink) const;
    /// A whole member of at most `limit` bytes.
    [[nodiscard]] Result<std::string> readMember(std::string_view name, std::uint64_t limit) const;

    ZipArchive(ZipArchive&&) = default;
    ZipArchive& operator=(ZipArchive&&) = default;

private:
    struct Close;
    ZipArchive() = default;
    Result<void> readDirectory();
    [[nodiscard]] Result<void> checkNames();
    [[nodiscard]] Result<void> checkSameMembers() const;
    [[nodiscard]] tl::unexpected<Error> damaged(std::string message, std::string member = {}) const;

    std::shared_ptr<const SourceFile> m_file;
    std::shared_ptr<zip> m_zip;
    std::vector<ZipMember> m_members;
    std::unordered_map<std::string_view, std::size_t> m_byName; ///< views into m_members
};

/// The unpacked bytes of one member, front to back. The archive stays open as long as its streams.
class ZipMemberStream {
public:
    /// Fills `buffer` from the front and returns how many bytes came; 0 at the end, where length and CRC have been
    /// checked. Malformed when the data are damaged or longer or shorter than the directory says.
    [[nodiscard]] Result<std::size_t> read(std::span<char> buffer);
    [[nodiscard]] const ZipMember& member() const { return m_member; }
    /// Bytes given out so far.
    [[nodiscard]] std::uint64_t position() const { return m_position; }

private:
    friend class ZipArchive;
    struct Close;
    [[nodiscard]] tl::unexpected<Error> damaged(const std::string& message) const;

    std::shared_ptr<zip> m_zip;
    std::shared_ptr<zip_file> m_file;
    ZipMember m_member;
    std::string m_path;
    std::uint64_t m_position = 0;
};

} // namespace sunder
