#include "support/scratch_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".sunder-";
constexpr const char* kOwner = "made-by-sunder"; ///< marker file in each scratch folder; folders without it are not removed
constexpr std::size_t kMaxName = 180; ///< a file name may have 255 bytes

/// State that signal handling needs: existing folders, and whether files are being moved.
struct Underway {
    std::recursive_mutex commits;
    std::recursive_mutex folders;
    std::vector<fs::path> paths;
    std::vector<fs::path> elsewhere; ///< folders created by elsewhere()
};

Underway& underway()
{
    static auto* const all = new Underway; // outlives every thread
    return *all;
}

std::string prefixFor(const fs::path& place)
{
    return "." + place.filename().string().substr(0, kMaxName) + std::string(kMark);
}

tl::unexpected<Error> failAt(const fs::path& place, int error)
{
    return fail(ErrorCode::io, std::string("cannot write: ") + std::strerror(error), {.file = place.string()});
}

/// Opens and locks the folder if this user owns it, it still exists, and no other process has locked it; else -1.
int lockFolder(const fs::path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat opened{};
    struct stat there{};
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &there) == 0
        && opened.st_ino == there.st_ino && opened.st_dev == there.st_dev && opened.st_uid == ::geteuid())
        return fd;
    ::close(fd);
    return -1;
}

/// Returns the scratch folders of all users in a folder; for all destinations if `prefix` is empty.
std::vector<fs::path> scratchFoldersIn(const fs::path& parent, std::string_view prefix)
{
    constexpr std::size_t kLetters = 6;
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const std::size_t mark = name.size() < kMark.size() + kLetters ? std::string::npos
                                                                       : name.size() - kMark.size() - kLetters;
        if (mark != std::string::npos && name.front() == '.' && name.compare(mark, kMark.size(), kMark) == 0
            && name.starts_with(prefix))
            found.push_back(at->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

void takeLeftoversAway(const fs::path& parent)
{
    for (const fs::path& path : scratchFoldersIn(parent, {})) {
        const int lock = lockFolder(path);
        if (lock < 0)
            continue;
        std::error_code error;
        if (fs::exists(path / kOwner, error) && !fs::exists(path / ScratchFolder::kJournal, error) && !error)
            fs::remove_all(path, error);
        ::close(lock);
    }
}

} // namespace

/// The caller must hold the lock of the list.
ScratchFolder::ScratchFolder(fs::path path, int lock) : m_path(std::move(path)), m_lock(lock)
{
    underway().paths.push_back(m_path);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1))
{
}

ScratchFolder::~ScratchFolder()
{
    if (m_path.empty())
        return;
    std::error_code error;
    fs::remove_all(m_path, error);
    if (m_lock >= 0)
        ::close(m_lock);
    const std::scoped_lock lockPaths(underway().folders);
    std::erase(underway().paths, m_path);
    std::erase(underway().elsewhere, m_path);
}

Result<ScratchFolder> ScratchFolder::create(const fs::path& parent, const fs::path& place)
{
    const std::scoped_lock lockPaths(underway().folders); // no signal may interrupt between creating and listing it
    std::string pattern = (parent / (prefixFor(place) + "XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr)
        return failAt(place, errno);
    // On file systems without locks, leftovers cannot be recognized and are not removed.
    ScratchFolder made(pattern, lockFolder(pattern));
    const int owner = ::open((made.path() / kOwner).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (owner >= 0)
        ::close(owner);
    if (owner < 0 || ::mkdir(made.files().c_str(), 0777) != 0)
        return failAt(place, errno);
    return made;
}

Result<ScratchFolder> ScratchFolder::beside(const fs::path& place)
{
    const fs::path parent = place.has_parent_path() ? place.parent_path() : fs::path(".");
    takeLeftoversAway(parent);
    return create(parent, place);
}

Result<ScratchFolder> ScratchFolder::elsewhere(const fs::path& place)
{
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error)
        return failAt(place, error.value());
    takeLeftoversAway(parent);
    Result<ScratchFolder> made = create(parent, place);
    const std::scoped_lock lockPaths(underway().folders);
    if (made)
        underway().elsewhere.push_back(made->path());
    return made;
}

bool ScratchFolder::isPassing(const fs::path& file)
{
    const std::scoped_lock lockPaths(underway().folders);
    return std::ranges::any_of(underway().elsewhere, [&](const fs::path& path) { return file.parent_path() == path / kFiles; });
}

std::vector<ScratchFolder> ScratchFolder::withJournals(const fs::path& place)
{
    std::vector<ScratchFolder> found;
    const std::scoped_lock lockPaths(underway().folders);
    for (const fs::path& path : scratchFoldersIn(place.parent_path(), prefixFor(place))) {
        const int lock = lockFolder(path);
        std::error_code error;
        if (lock >= 0 && fs::exists(path / kJournal, error))
            found.push_back(ScratchFolder(path, lock));
        else if (lock >= 0)
            ::close(lock);
    }
    return found;
}

CommitGuard::CommitGuard() : m_lock(underway().commits) {}

void abandonScratchFolders()
{
    constexpr int kAttempts = 20; // another thread may be creating a file in one
    Underway& all = underway();
    all.commits.lock();
    all.folders.lock();
    for (const fs::path& path : all.paths) {
        std::error_code error;
        for (int attempt = 0; attempt < kAttempts && fs::exists(path, error); ++attempt)
            fs::remove_all(path, error);
    }
}

} // namespace sunder
