#pragma once

#include "io/archives/zip_member_stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sunder {

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
