#include "support/file_lock.h"

#include "support/file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxNote = 4096;
constexpr int kMaxTries = 16; ///< the holder may remove its file just after it was opened

/// Returns whether the path still refers to the open file.
bool isStillThere(int descriptor, const std::string& path)
{
    struct stat opened{};
    struct stat there{};
    return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino
        && opened.st_dev == there.st_dev;
}

} // namespace

Result<FileLock> FileLock::take(const std::string& path)
{
    for (int i = 0; i < kMaxTries; ++i) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (descriptor < 0)
            return failWithErrno(path, "open");
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const bool isHeld = errno == EWOULDBLOCK;
            const auto failed = failWithErrno(path, "lock");
            ::close(descriptor);
            if (isHeld)
                return fail(ErrorCode::refused, "is locked by another process", {.file = path});
            return failed;
        }
        if (isStillThere(descriptor, path))
            return FileLock(path, descriptor);
        ::close(descriptor);
    }
    return fail(ErrorCode::refused, "is locked by another process", {.file = path});
}

FileLock::FileLock(FileLock&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

FileLock::~FileLock()
{
    release();
}

void FileLock::release()
{
    if (m_descriptor < 0)
        return;
    ::unlink(m_path.c_str()); // while still locked, so that no other process can hold it
    ::close(std::exchange(m_descriptor, -1));
}

void FileLock::note(std::string_view text) const
{
    if (::ftruncate(m_descriptor, 0) == 0)
        (void)!::pwrite(m_descriptor, text.data(), text.size(), 0);
}

std::string FileLock::noteAt(const std::string& path)
{
    return readFile(path, kMaxNote).value_or(std::string());
}

} // namespace sunder
