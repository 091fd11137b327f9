#include "support/staged_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sunder {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failWith(const std::string& place, const char* why)
{
    return fail(ErrorCode::io, std::string("cannot write: ") + why, {.file = place});
}

/// A file descriptor with automatic close.
class Descriptor final {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    [[nodiscard]] int get() const { return m_fd; }
    /// Returns whether all data was written; sets errno otherwise.
    bool close()
    {
        const int fd = m_fd;
        m_fd = -1;
        return ::close(fd) == 0;
    }

private:
    int m_fd;
};

/// Connects to a socket. Returns -1 and sets errno if there is no listener.
int connectTo(const fs::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = path.string();
    if (text.size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    text.copy(address.sun_path, text.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        ::close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/// Opens an existing device, pipe or socket for writing. Blocks on a pipe until it has a reader.
int openStream(const fs::path& target)
{
    if (const std::optional<int> fd = openFileOf(target))
        return ::fcntl(*fd, F_DUPFD_CLOEXEC, 0);
    struct stat info{};
    if (::stat(target.c_str(), &info) != 0)
        return -1;
    return S_ISSOCK(info.st_mode) ? connectTo(target) : ::open(target.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

bool writeAll(int fd, const char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t put = ::write(fd, bytes, count);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        count -= static_cast<std::size_t>(put);
    }
    return true;
}

} // namespace

std::optional<int> openFileOf(const fs::path& path)
{
    const std::string text = path.lexically_normal().string();
    if (text == "/dev/stdout")
        return STDOUT_FILENO;
    if (text == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int fd = -1;
        if (!text.starts_with(folder))
            continue;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + folder.size(), end, fd);
        if (read.ec == std::errc() && read.ptr == end && fd >= 0)
            return fd;
    }
    return std::nullopt;
}

fs::path behindLinks(const fs::path& path)
{
    constexpr int kMaxLinks = 40;
    fs::path at = path;
    std::error_code error;
    for (int i = 0; i < kMaxLinks && !openFileOf(at) && fs::is_symlink(at, error); ++i) {
        const fs::path next = fs::read_symlink(at, error);
        if (error)
            return at;
        at = next.is_absolute() ? next : at.parent_path() / next;
    }
    return at;
}

bool exchangePaths(const fs::path& from, const fs::path& to)
{
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0;
}

bool reachDisk(const fs::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0)
        return false;
    // Some file systems do not support this for folders.
    return ::fsync(file.get()) == 0 || errno == EINVAL;
}

StagedFile::StagedFile(std::string place, fs::path target, Kind kind, ScratchFolder scratch)
    : m_place(std::move(place)), m_target(std::move(target)), m_kind(kind), m_scratch(std::move(scratch)),
      m_staged((m_scratch.files() / fs::path(m_place).filename()).string())
{
}

Result<StagedFile> StagedFile::create(const std::string& place)
{
    if (!fs::path(place).has_filename())
        return failWith(place, "it is a folder");
    const fs::path target = behindLinks(place);
    struct stat info{};
    const bool isOpenFile = openFileOf(target).has_value();
    const bool isThere = isOpenFile || ::stat(target.c_str(), &info) == 0;
    if (isThere && !isOpenFile && S_ISDIR(info.st_mode))
        return failWith(place, "it is a folder");
    if (isThere && !isOpenFile && ::access(target.c_str(), W_OK) != 0)
        return failWith(place, std::strerror(errno));
    const bool isStream = isThere && (isOpenFile || !S_ISREG(info.st_mode));
    Result<ScratchFolder> scratch = isStream ? ScratchFolder::elsewhere(target) : ScratchFolder::beside(target);
    if (!scratch)
        scratch.error().where.file = place;
    SUNDER_TRY(ScratchFolder folder, std::move(scratch));
    const Kind kind = isStream ? Kind::stream : ScratchFolder::isPassing(target) ? Kind::passing : Kind::file;
    return StagedFile(place, target, kind, std::move(folder));
}

Result<void> StagedFile::seal()
{
    return m_kind == Kind::stream ? copyOut() : prepare();
}

Result<void> StagedFile::copyOut()
{
    const Descriptor in(::open(m_staged.c_str(), O_RDONLY | O_CLOEXEC));
    Descriptor out(in.get() < 0 ? -1 : openStream(m_target));
    if (out.get() < 0)
        return failWith(m_place, std::strerror(errno));
    std::array<char, 1U << 16U> buffer;
    for (;;) {
        const ssize_t got = ::read(in.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            break;
        if (got < 0 || !writeAll(out.get(), buffer.data(), static_cast<std::size_t>(got)))
            return failWith(m_place, std::strerror(errno));
    }
    return out.close() ? Result<void>() : Result<void>(failWith(m_place, std::strerror(errno)));
}

Result<void> StagedFile::prepare()
{
    struct stat old{};
    if (::stat(m_target.c_str(), &old) == 0) {
        struct stat made{};
        if (::stat(m_staged.c_str(), &made) != 0)
            return failWith(m_place, std::strerror(errno));
        // Without the permission to change the owner, the file keeps the new one.
        if ((made.st_uid != old.st_uid || made.st_gid != old.st_gid) && ::chown(m_staged.c_str(), old.st_uid, old.st_gid) != 0
            && errno != EPERM)
            return failWith(m_place, std::strerror(errno));
        if (::chmod(m_staged.c_str(), old.st_mode & 07777U) != 0)
            return failWith(m_place, std::strerror(errno));
    }
    if (m_kind == Kind::file && !reachDisk(m_staged))
        return failWith(m_place, std::strerror(errno));
    return {};
}

Result<void> StagedFile::commit()
{
    if (m_kind == Kind::stream)
        return {};
    const fs::path aside = m_scratch.path() / "old";
    if (exchangePaths(m_staged, m_target))
        m_old = m_staged;
    else if (std::rename(m_target.c_str(), aside.c_str()) == 0) // the file system does not support the exchange
        m_old = aside;
    else if (errno != ENOENT)
        return failWith(m_place, std::strerror(errno));
    if (m_old != m_staged && std::rename(m_staged.c_str(), m_target.c_str()) != 0) {
        const int error = errno;
        if (!m_old.empty())
            std::rename(m_old.c_str(), m_target.c_str());
        return failWith(m_place, std::strerror(error));
    }
    m_isCommitted = true;
    return {};
}

void StagedFile::undo()
{
    if (!m_isCommitted)
        return;
    m_isCommitted = false;
    if (m_old.empty())
        ::unlink(m_target.c_str());
    else
        std::rename(m_old.c_str(), m_target.c_str());
}

void StagedFile::settle() const
{
    if (m_isCommitted && m_kind == Kind::file)
        reachDisk(m_target.has_parent_path() ? m_target.parent_path() : fs::path("."));
}

} // namespace sunder
