#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Identifies the contents of an archive member, to detect another member with the same name.
struct MemberMark {
    std::string name;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    friend bool operator==(const MemberMark&, const MemberMark&) = default;
};

/// A file in the state in which it was opened. It stays open, so replacing it by renaming has no effect. Writes into the file are
/// detected by its size and time and, for archives, by the sizes and CRCs of the members. So all reads through one object see one
/// state of one file, or fail. Thread-safe.
class SourceFile final {
public:
    /// Opens a file. Fails with ErrorCode::io, naming the path. Input that is not a regular file (a pipe) is first copied to an
    /// unnamed file, which `monitor` can cancel.
    static Result<std::shared_ptr<const SourceFile>> open(const std::string& path,
                                                          ProgressMonitor& monitor = ProgressMonitor::none());
    /// Returns a range of a file as a separate file. It counts as changed when the whole file changes.
    static std::shared_ptr<const SourceFile> stretch(std::shared_ptr<const SourceFile> whole, std::uint64_t offset,
                                                     std::uint64_t size);
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;
    ~SourceFile();

    /// The path passed to open().
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::uint64_t size() const { return m_state.size; }
    /// Fills `buffer` from an offset in the file. Reads less only at the end of the file.
    [[nodiscard]] Result<std::size_t> read(std::uint64_t offset, std::span<char> buffer) const;

    /// Fails with ErrorCode::io and a description if the file was modified after it was opened.
    [[nodiscard]] Result<void> checkUnchanged() const;
    /// Remembers the members of an archive in the first call. Later calls fail if the members differ, naming the member.
    [[nodiscard]] Result<void> checkMembers(std::vector<MemberMark> members) const;
    /// Describes how the file that is now at the path differs from this file ("it was replaced by another file"). Nothing if it
    /// does not differ, or if the input was a pipe.
    [[nodiscard]] std::optional<std::string> changeAtPath() const;
    /// True if the other object is the same file, or the same range of it, in the same state.
    [[nodiscard]] bool isSameAs(const SourceFile& other) const;

    /// SHA-256 of the whole file, computed once. Fails like checkUnchanged(), or when canceled.
    [[nodiscard]] Result<std::string> sha256(ProgressMonitor& monitor = ProgressMonitor::none()) const;
    /// Returns a short text that identifies the contents, independent of the path. For an archive it is a cheap hash over the
    /// names, sizes, and CRCs of its members; otherwise it is sha256(), with the same errors.
    [[nodiscard]] Result<std::string> contentMark(ProgressMonitor& monitor = ProgressMonitor::none()) const;

private:
    struct State {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0;
        std::int64_t seconds = 0; ///< time of the last write
        std::int64_t nanoseconds = 0;
        friend bool operator==(const State&, const State&) = default;
    };

    SourceFile(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
    static std::optional<State> stateOf(int descriptor);
    /// Describes the change from this state to the other one.
    [[nodiscard]] std::string describeChange(const State& now) const;

    std::string m_path;
    int m_descriptor;
    State m_state;
    bool m_isCopy = false; ///< a copy of the contents of a pipe
    std::shared_ptr<const SourceFile> m_whole; ///< for a range: the whole file; otherwise null
    std::uint64_t m_begin = 0; ///< offset of a range
    mutable std::mutex m_mutex; ///< protects the following members
    mutable std::optional<std::vector<MemberMark>> m_members;
    mutable std::string m_sha256;
};

} // namespace sunder
