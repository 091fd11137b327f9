#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// A file that says that a living process holds something. The system takes the lock back from a process that ends, however it does;
/// the file may stay.
class FileLock final {
public:
    /// Makes the file and locks it. ErrorCode::refused where another one holds it, in this process too; io where it cannot be made.
    static Result<FileLock> take(const std::string& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    /// Lets go, and takes the file away.
    ~FileLock();

    /// Leaves a text in the file, for who finds it locked.
    void note(std::string_view text) const;
    /// What the holder left there, at most 4 kB; empty where nothing is.
    static std::string noteAt(const std::string& path);

private:
    FileLock(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
    void release();

    std::string m_path;
    int m_descriptor = -1;
};

} // namespace sunder
