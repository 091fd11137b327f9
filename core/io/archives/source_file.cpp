#include "io/archives/source_file.h"

#include "support/file.h"
#include "support/format.h"
#include "support/memory_text.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "support/sha256.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <poll.h>
#include <string>
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
        SUNDER_PROPAGATE(monitor.check());
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

/// True for a named pipe (mkfifo), which may never get a writer. False for pipes of a shell: "<(…)" and standard input.
bool isNamedPipe(int descriptor)
{
    struct stat info{};
    struct statfs system{};
    return ::fstat(descriptor, &info) == 0 && S_ISFIFO(info.st_mode) && ::fstatfs(descriptor, &system) == 0
        && system.f_type != PIPEFS_MAGIC;
}

/// Copies the contents of a non-blocking pipe or socket to an unnamed file and returns its descriptor, which the caller must
/// close. Waits without limit until the other end is closed. Fails with cancelled soon after `monitor` is canceled, and with io
/// for more than 64 GB.
Result<int> spoolInput(int descriptor, const std::string& path, ProgressMonitor& monitor)
{
    SUNDER_TRY(const int made, makeNamelessFile(path));
    const Result<void> copied = copyAll(descriptor, made, path, monitor);
    if (!copied)
        ::close(made);
    SUNDER_PROPAGATE(copied);
    return made;
}

constexpr std::size_t kSourcePiece = 1U << 20U;
} // namespace

Result<std::shared_ptr<const SourceFile>> SourceFile::open(const std::string& path, ProgressMonitor& monitor)
{
    // Opening a pipe without a writer must not block, so that the caller can cancel.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failWithErrno(path, "open");
    const std::shared_ptr<SourceFile> file(new SourceFile(path, descriptor));
    struct stat info{};
    if (::fstat(descriptor, &info) != 0)
        return failWithErrno(path, "read");
    if (S_ISDIR(info.st_mode))
        return fail(ErrorCode::io, "this is a folder, not a file", {.file = path});
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))
        return fail(ErrorCode::io, "this is a device, not a file", {.file = path});
    if (isNamedPipe(descriptor))
        return fail(ErrorCode::io, "this is a named pipe (FIFO), not a file; save its contents to a file first", {.file = path});
    if (!S_ISREG(info.st_mode)) {
        SUNDER_TRY(const int copy, spoolInput(descriptor, path, monitor));
        ::close(file->m_descriptor);
        file->m_descriptor = copy;
        file->m_isCopy = true;
    }
    const std::optional<State> state = stateOf(file->m_descriptor);
    if (!state)
        return failWithErrno(path, "read");
    file->m_state = *state;
    return file;
}

std::shared_ptr<const SourceFile> SourceFile::stretch(std::shared_ptr<const SourceFile> whole, std::uint64_t offset,
                                                      std::uint64_t size)
{
    constexpr int kNoDescriptor = -1;
    const std::shared_ptr<SourceFile> part(new SourceFile(whole->path(), kNoDescriptor));
    part->m_state = whole->m_state;
    part->m_state.size = size;
    part->m_begin = offset;
    part->m_whole = std::move(whole);
    return part;
}

SourceFile::~SourceFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::optional<SourceFile::State> SourceFile::stateOf(int descriptor)
{
    struct stat info{};
    if (::fstat(descriptor, &info) != 0)
        return std::nullopt;
    return State{.device = info.st_dev,
                 .inode = info.st_ino,
                 .size = static_cast<std::uint64_t>(info.st_size),
                 .seconds = info.st_mtim.tv_sec,
                 .nanoseconds = info.st_mtim.tv_nsec};
}

Result<std::size_t> SourceFile::read(std::uint64_t offset, std::span<char> buffer) const
{
    if (m_whole) {
        const std::uint64_t left = m_state.size - std::min(offset, m_state.size);
        return m_whole->read(m_begin + offset,
                             buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left))));
    }
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const ssize_t count = ::pread(m_descriptor, buffer.data() + filled, buffer.size() - filled,
                                      static_cast<off_t>(offset + filled));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failWithErrno(m_path, "read");
        if (count == 0)
            break;
        filled += static_cast<std::size_t>(count);
    }
    return filled;
}

std::string SourceFile::describeChange(const State& now) const
{
    if (now.device != m_state.device || now.inode != m_state.inode)
        return "it was replaced by another file";
    if (now.size != m_state.size)
        return "it was written to and is now " + formatBytesBeside(now.size, m_state.size) + " instead of "
            + formatBytesBeside(m_state.size, now.size);
    return "it was written to";
}

Result<void> SourceFile::checkUnchanged() const
{
    if (m_whole)
        return m_whole->checkUnchanged();
    const std::optional<State> now = stateOf(m_descriptor);
    if (!now)
        return failWithErrno(m_path, "read");
    if (*now == m_state)
        return {};
    return fail(ErrorCode::io, "has changed since it was read: " + describeChange(*now), {.file = m_path});
}

Result<void> SourceFile::checkMembers(std::vector<MemberMark> members) const
{
    const std::lock_guard lock(m_mutex);
    if (!m_members) {
        m_members = std::move(members);
        return {};
    }
    if (*m_members == members)
        return {};
    const auto [was, is] = std::ranges::mismatch(*m_members, members);
    const std::string member = was != m_members->end() ? was->name : is->name;
    return fail(ErrorCode::io, "has changed since it was read: its members differ", {.file = m_path, .member = member});
}

Result<std::string> SourceFile::contentMark(ProgressMonitor& monitor) const
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_members) {
            Sha256 hash;
            for (const MemberMark& member : *m_members) {
                hash.add(member.name);
                hash.add(std::string_view("\0", 1));
                hash.add(std::to_string(member.size) + ' ' + std::to_string(member.crc) + '\n');
            }
            return "members:" + hash.finish();
        }
    }
    Result<std::string> whole = sha256(monitor);
    if (whole)
        *whole = "sha256:" + *whole;
    return whole;
}

std::optional<std::string> SourceFile::changeAtPath() const
{
    if (m_isCopy)
        return std::nullopt;
    const int descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const std::optional<State> now = descriptor >= 0 ? stateOf(descriptor) : std::nullopt;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!now)
        return "it no longer exists or cannot be read";
    return *now == m_state ? std::nullopt : std::optional(describeChange(*now));
}

bool SourceFile::isSameAs(const SourceFile& other) const
{
    return this == &other || (m_state == other.m_state && m_begin == other.m_begin);
}

Result<std::string> SourceFile::sha256(ProgressMonitor& monitor) const
{
    SUNDER_PROPAGATE(checkUnchanged());
    {
        const std::lock_guard lock(m_mutex);
        if (!m_sha256.empty())
            return m_sha256;
    }
    Sha256 hash;
    std::vector<char> piece(std::min<std::uint64_t>(kSourcePiece, m_state.size + 1));
    for (std::uint64_t at = 0; at < m_state.size;) {
        SUNDER_PROPAGATE(monitor.check());
        SUNDER_TRY(const std::size_t count, read(at, piece));
        if (count == 0)
            break;
        hash.add({piece.data(), count});
        at += count;
        monitor.report(static_cast<double>(at) / static_cast<double>(m_state.size), "SHA-256 of " + m_path);
    }
    SUNDER_PROPAGATE(checkUnchanged());
    const std::lock_guard lock(m_mutex);
    return m_sha256 = hash.finish();
}

} // namespace sunder
