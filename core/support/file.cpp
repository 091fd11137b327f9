#include "support/file.h"

#include "support/format.h"
#include "support/staged_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sunder {

Result<std::string> readFile(const std::string& path, std::uint64_t limit)
{
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0)
        return failWithErrno(path, "read");
    if (S_ISDIR(info.st_mode))
        return fail(ErrorCode::io, "this is a folder, not a file", {.file = path});
    if (static_cast<std::uint64_t>(info.st_size) > limit)
        return fail(ErrorCode::io,
                    "is too large: " + formatBytes(static_cast<std::uint64_t>(info.st_size)) + ", the limit is "
                        + formatBytes(limit),
                    {.file = path});
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return failWithErrno(path, "open");
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(info.st_size));
    char buffer[1 << 16];
    while (in.read(buffer, sizeof buffer), in.gcount() > 0) {
        bytes.append(buffer, static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > limit)
            return fail(ErrorCode::io, "is larger than the limit of " + formatBytes(limit), {.file = path});
    }
    if (in.bad())
        return failWithErrno(path, "read");
    return bytes;
}

Result<void> writeFileAtomically(const std::string& path, const std::function<Result<void>(std::ostream&)>& write)
{
    SUNDER_TRY(StagedFile staged, StagedFile::create(path));
    errno = 0;
    std::ofstream out(staged.path(), std::ios::binary | std::ios::trunc);
    if (!out)
        return failWithErrno(path, "write");
    SUNDER_PROPAGATE(write(out));
    errno = 0;
    out.close();
    if (!out)
        return fail(ErrorCode::io, std::string("cannot write: ") + (errno != 0 ? std::strerror(errno) : "the disk may be full"),
                    {.file = path});
    SUNDER_PROPAGATE(staged.seal());
    {
        const CommitGuard guard;
        SUNDER_PROPAGATE(staged.commit());
    }
    staged.settle();
    return {};
}

Result<void> writeFileAtomically(const std::string& path, std::string_view bytes)
{
    return writeFileAtomically(path, [bytes](std::ostream& out) -> Result<void> {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return {};
    });
}

std::optional<std::uint64_t> freeSpaceAt(const std::string& path)
{
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    while (!error && !std::filesystem::exists(at, error) && at.has_relative_path())
        at = at.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(at, error);
    return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

Result<void> checkFreeSpace(const std::string& folder, std::uint64_t bytes, const std::string& what)
{
    const std::optional<std::uint64_t> free = freeSpaceAt(folder);
    if (!free || bytes <= *free)
        return {};
    return fail(ErrorCode::io,
                "not enough disk space: " + what + " take about " + formatBytes(bytes) + ", but only " + formatBytes(*free)
                    + " are free; free up space or choose a folder on another disk",
                {.file = folder});
}

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
