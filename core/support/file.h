#pragma once

#include "support/result.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace sunder {

/// Returns the error of a system call that just failed, e.g. "cannot open: No such file or directory".
inline tl::unexpected<Error> failWithErrno(const std::string& path, const char* doing)
{
    return fail(ErrorCode::io, std::string("cannot ") + doing + ": " + std::strerror(errno), {.file = path});
}

/// Reads a whole file as bytes. Fails for folders, missing files and files over `limit` bytes, naming path and reason.
Result<std::string> readFile(const std::string& path, std::uint64_t limit);

/// Writes a file next to its destination, and renames it if `write` succeeded and all data reached the disk. On any failure,
/// including a full disk, the destination is unchanged and no temporary files remain. Treats links, modes, devices and pipes like
/// StagedFile.
Result<void> writeFileAtomically(const std::string& path, const std::function<Result<void>(std::ostream&)>& write);

/// As above, for text in memory.
Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);

/// Returns the bytes that the current user can still write to the file system of a path, which need not exist; nothing if
/// unknown.
std::optional<std::uint64_t> freeSpaceAt(const std::string& path);

/// Returns ErrorCode::io, with both figures and the folder, if the bytes do not fit. Succeeds if the free space is unknown.
/// `what` starts the message: "the parts".
Result<void> checkFreeSpace(const std::string& folder, std::uint64_t bytes, const std::string& what);

/// A lock file that shows that a resource is in use by a running process. The system releases the lock when the process ends for
/// any reason; the file may remain.
class FileLock final {
public:
    /// Creates and locks the file. Returns ErrorCode::refused if it is locked, by this process or another one, and ErrorCode::io
    /// if it cannot be created.
    static Result<FileLock> take(const std::string& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    /// Releases the lock and removes the file.
    ~FileLock();

    /// Stores a text in the file, for processes that find it locked.
    void note(std::string_view text) const;
    /// Returns the text stored by the holder, at most 4 kB; empty if there is none.
    static std::string noteAt(const std::string& path);

private:
    FileLock(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
    void release();

    std::string m_path;
    int m_descriptor = -1;
};

} // namespace sunder
