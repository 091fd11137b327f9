#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

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
