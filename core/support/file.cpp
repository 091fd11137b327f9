#include "support/file.h"

#include "support/format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace sunder {
namespace {

tl::unexpected<Error> failWithErrno(const std::string& path, const char* doing)
{
    return fail(ErrorCode::io, std::string("cannot ") + doing + ": " + std::strerror(errno), {.file = path});
}

/// Deletes the file again unless told that it is wanted.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string path) : m_path(std::move(path)) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }
    [[nodiscard]] const std::string& path() const { return m_path; }
    void keep() { m_path.clear(); }

private:
    std::string m_path;
};

bool reachDisk(const std::string& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool ok = ::fsync(fd) == 0;
    const int kept = errno;
    ::close(fd);
    errno = kept;
    return ok;
}

} // namespace

Result<std::string> readFile(const std::string& path, std::uint64_t limit)
{
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return failWithErrno(path, "read");
    if (S_ISDIR(info.st_mode))
        return fail(ErrorCode::io, "is a folder, not a file", {.file = path});
    if (static_cast<std::uint64_t>(info.st_size) > limit)
        return fail(ErrorCode::io,
                    "is too large: " + formatBytes(static_cast<std::uint64_t>(info.st_size)) + ", the limit is " +
                        formatBytes(limit),
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
    std::string pattern = path + ".XXXXXX";
    const int fd = ::mkstemp(pattern.data());
    if (fd < 0)
        return failWithErrno(path, "write");
    TemporaryFile temporary(pattern);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd, 0666 & ~mask);
    ::close(fd);

    std::ofstream out(pattern, std::ios::binary | std::ios::trunc);
    if (!out)
        return failWithErrno(path, "write");
    if (const Result<void> written = write(out); !written)
        return written;
    errno = 0;
    out.close();
    if (!out)
        return fail(ErrorCode::io,
                    std::string("cannot write: ") + (errno != 0 ? std::strerror(errno) : "the disk may be full"),
                    {.file = path});
    if (!reachDisk(pattern))
        return failWithErrno(path, "write");
    if (::rename(pattern.c_str(), path.c_str()) != 0)
        return failWithErrno(path, "write");
    temporary.keep();
    return {};
}

Result<void> writeFileAtomically(const std::string& path, std::string_view bytes)
{
    return writeFileAtomically(path, [bytes](std::ostream& out) -> Result<void> {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return {};
    });
}

} // namespace sunder
