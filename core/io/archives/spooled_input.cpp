#include "io/archives/spooled_input.h"

#include "support/format.h"
#include "support/system_failure.h"

#include <cerrno>
#include <filesystem>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxOfPipe = 64ULL << 30U;
constexpr int kPatience = 50; ///< milliseconds between checks of the monitor
constexpr std::size_t kSpoolPiece = 1U << 18U;
Result<int> makeNamelessFile(const std::string& path)
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "sunder-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0)
        return failWithErrno(path, "make a temporary file for its contents");
    ::unlink(name.c_str());
    return descriptor;
}

Result<void> writeAll(int to, const char* bytes, std::size_t size, const std::string& path)
{
    for (std::size_t at = 0; at < size;) {
        const ssize_t count = ::write(to, bytes + at, size - at);
        if (count < 0 && errno != EINTR)
            return failWithErrno(path, "store its contents in a temporary file");
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return {};
}

Result<void> copyAll(int from, int to, const std::string& path, ProgressMonitor& monitor)
{
    std::vector<char> piece(kSpoolPiece);
    for (std::uint64_t copied = 0;;) {
        if (monitor.isCancelled())
            return fail(ErrorCode::cancelled, "reading was canceled", {.file = path});
        const ssize_t count = ::read(from, piece.data(), piece.size());
        if (count > 0) {
            copied += static_cast<std::uint64_t>(count);
            if (copied > kMaxOfPipe)
                return fail(ErrorCode::io, "has more than " + formatBytes(kMaxOfPipe) + ", the limit for pipes", {.file = path});
            SUNDER_PROPAGATE(writeAll(to, piece.data(), static_cast<std::size_t>(count), path));
            continue;
        }
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            return failWithErrno(path, "read");
        if (count == 0)
            return {};
        pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
        ::poll(&ready, 1, kPatience);
    }
}

} // namespace

bool isNamedPipe(int descriptor)
{
    struct stat info{};
    struct statfs system{};
    return ::fstat(descriptor, &info) == 0 && S_ISFIFO(info.st_mode) && ::fstatfs(descriptor, &system) == 0
        && system.f_type != PIPEFS_MAGIC;
}

Result<int> spoolInput(int descriptor, const std::string& path, ProgressMonitor& monitor)
{
    const Result<int> made = makeNamelessFile(path);
    if (!made)
        return made;
    if (const Result<void> copied = copyAll(descriptor, *made, path, monitor); !copied) {
        ::close(*made);
        return forward(copied);
    }
    return made;
}

} // namespace sunder
