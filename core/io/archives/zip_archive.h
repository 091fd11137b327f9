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

/// A zip file open for reading: stored and deflated members, zip64. Only the central directory is trusted with names
/// and sizes; nothing is unpacked before it is read, and never more than the directory says. Opening refuses names
/// that leave the folder, duplicates and encrypted members. Any thread may read it.
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
    /// A stored member that is a zip archive itself, for reading in place. Unsupported when it is packed.
    [[nodiscard]] Result<ZipArchive> openArchive(std::string_view name) const;
    /// Passes the unpacked bytes to `sink` piece by piece, then checks length and CRC. `sink` returns false to stop.
    [[nodiscard]] Result<void> copyMember(std::string_view name, const std::function<bool(std::span<const char>)>& sink) const;
    /// A whole member of at most `limit` bytes.
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
