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

/// What tells the member of an archive from another one of its name.
struct MemberMark {
    std::string name;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    friend bool operator==(const MemberMark&, const MemberMark&) = default;
};

/// A file as it was when it was opened. It stays open, so whatever is put in its place later, by renaming, is not what
/// is read here; that somebody writes into the file itself is found out by its size, its time and, of an archive, the
/// sizes and CRCs of its members. What is read through one of these is of one file in one state, or refused. All
/// functions may be called from any thread.
class SourceFile final {
public:
    /// Errors: io, naming the path. What is no regular file (a pipe) is first copied into one that has no name, which
    /// `monitor` can stop.
    static Result<std::shared_ptr<const SourceFile>> open(const std::string& path,
                                                          ProgressMonitor& monitor = ProgressMonitor::none());
    /// A stretch of a file as a file of its own, which changes when the whole does.
    static std::shared_ptr<const SourceFile> stretch(std::shared_ptr<const SourceFile> whole, std::uint64_t offset,
                                                     std::uint64_t size);
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;
    ~SourceFile();

    /// As it was given to open().
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::uint64_t size() const { return m_state.size; }
    /// Fills `buffer` from a place in the file; less comes only at its end.
    [[nodiscard]] Result<std::size_t> read(std::uint64_t offset, std::span<char> buffer) const;

    /// Fails with ErrorCode::io, saying what changed, when the file has been written to since it was opened.
    [[nodiscard]] Result<void> checkUnchanged() const;
    /// Remembers the members of an archive at the first call; later ones fail, naming the member, when these are others.
    [[nodiscard]] Result<void> checkMembers(std::vector<MemberMark> members) const;
    /// How what the path leads to now differs from this file ("it was replaced by another file"); nothing when it does
    /// not, or when the file was a pipe.
    [[nodiscard]] std::optional<std::string> changeAtPath() const;
    /// Whether the other one is this same file, or the same stretch of it, in the same state.
    [[nodiscard]] bool isSameAs(const SourceFile& other) const;

    /// SHA-256 of the whole file. It is read once; fails as checkUnchanged() does, or with cancelled.
    [[nodiscard]] Result<std::string> sha256(ProgressMonitor& monitor = ProgressMonitor::none()) const;
    /// What is in the file, as a short text by which it is known again wherever it lies: of an archive a hash over the names, sizes
    /// and CRCs of its members, which costs nothing; else sha256(), and fails as it does.
    [[nodiscard]] Result<std::string> contentMark(ProgressMonitor& monitor = ProgressMonitor::none()) const;

private:
    struct State {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0;
        std::int64_t seconds = 0; ///< of the last write
        std::int64_t nanoseconds = 0;
        friend bool operator==(const State&, const State&) = default;
    };

    SourceFile(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
    static std::optional<State> stateOf(int descriptor);
    /// What happened to a file of this state that is in the other one now.
    [[nodiscard]] std::string describeChange(const State& now) const;

    std::string m_path;
    int m_descriptor;
    State m_state;
    bool m_isCopy = false; ///< of what came out of a pipe
    std::shared_ptr<const SourceFile> m_whole; ///< that this is a stretch of; null for a file
    std::uint64_t m_begin = 0; ///< of a stretch
    mutable std::mutex m_mutex; ///< over what follows
    mutable std::optional<std::vector<MemberMark>> m_members;
    mutable std::string m_sha256;
};

} // namespace sunder
