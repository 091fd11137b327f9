#include "parts/staged_folder.h"

#include "support/file.h"
#include "support/staged_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOld = "old";
constexpr std::uint64_t kMaxJournal = 64U << 20U;

tl::unexpected<Error> failAt(const fs::path& path, const std::string& what, const std::error_code& error)
{
    return fail(ErrorCode::io, what + ": " + error.message(), {.file = path.string()});
}

bool isThere(const fs::path& path)
{
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

/// A file that is added or replaced, or only removed, when a folder is changed file by file.
struct Change {
    bool comes = false;
    std::string name;
};

/// Restores the target folder to its state before these changes.
void putBack(const fs::path& scratch, const fs::path& target, const std::vector<Change>& changes)
{
    std::error_code ignored;
    for (const Change& change : changes) {
        if (isThere(scratch / kOld / change.name))
            fs::rename(scratch / kOld / change.name, target / change.name, ignored);
        else if (change.comes && !isThere(scratch / ScratchFolder::kFiles / change.name))
            fs::remove(target / change.name, ignored);
    }
}

/// Returns one line per change: "+" for added or "-" for removed files, then the name.
std::string journalText(const std::vector<Change>& changes)
{
    std::string text;
    for (const Change& change : changes)
        text += (change.comes ? "+" : "-") + change.name + "\n";
    return text;
}

std::vector<Change> journalOf(const fs::path& scratch)
{
    const Result<std::string> text = readFile((scratch / ScratchFolder::kJournal).string(), kMaxJournal);
    std::istringstream lines(text ? *text : std::string());
    std::vector<Change> changes;
    for (std::string line; std::getline(lines, line);) {
        const std::string name = line.empty() ? line : line.substr(1);
        if (!name.empty() && name.find('/') == std::string::npos && name != "." && name != "..")
            changes.push_back({.comes = line.front() == '+', .name = name});
    }
    return changes;
}

} // namespace

Result<StagedFolder> StagedFolder::create(const std::string& target)
{
    std::error_code error;
    fs::path path = fs::absolute(target, error).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    path = behindLinks(path).lexically_normal();
    if (fs::exists(path, error) && !fs::is_directory(path, error))
        return fail(ErrorCode::io, "this is a file; parts need a folder", {.file = target});
    fs::create_directories(path.parent_path(), error);
    if (error)
        return failAt(path.parent_path(), "cannot create the folder", error);
    for (const ScratchFolder& left : ScratchFolder::withJournals(path))
        putBack(left.path(), path, journalOf(left.path()));
    SUNDER_TRY(ScratchFolder scratch, ScratchFolder::beside(path));
    return StagedFolder(path, std::move(scratch));
}

bool StagedFolder::holdsOnly(const std::vector<std::string>& names) const
{
    const std::unordered_set<std::string> ours(names.begin(), names.end());
    std::error_code error;
    for (fs::directory_iterator at(m_target, error), end; !error && at != end; at.increment(error))
        if (!ours.contains(at->path().filename().string()) || !at->is_regular_file(error))
            return false;
    return !error;
}

/// Replaces the whole folder in one step. Mode and owner are preserved.
bool StagedFolder::exchange()
{
    struct stat old{};
    if (::stat(m_target.c_str(), &old) != 0)
        return false;
    if (const fs::path made = stage(); ::chown(made.c_str(), old.st_uid, old.st_gid) != 0 && errno != EPERM)
        return false;
    if (::chmod(stage().c_str(), old.st_mode & 07777U) != 0)
        return false;
    return exchangePaths(stage(), m_target);
}

Result<void> StagedFolder::commit(const std::vector<std::string>& names, const std::vector<std::string>& earlier)
{
    reachDisk(stage());
    if (!isThere(m_target)) {
        std::error_code error;
        fs::rename(stage(), m_target, error);
        if (error)
            return failAt(m_target, "cannot create the folder", error);
        reachDisk(m_target.parent_path());
        return {};
    }
    std::vector<std::string> ours = names;
    for (const std::string& name : earlier)
        if (std::find(names.begin(), names.end(), name) == names.end() && isThere(m_target / name))
            ours.push_back(name);
    if (holdsOnly(ours) && exchange()) {
        reachDisk(m_target.parent_path());
        return {};
    }
    return replaceFiles(ours);
}

/// Moves old files to the scratch folder, so that they can be restored. They are deleted with it.
Result<void> StagedFolder::replaceFiles(const std::vector<std::string>& names)
{
    const fs::path scratch = m_scratch.path();
    std::vector<Change> changes;
    std::error_code error;
    for (const std::string& name : names) {
        if (std::error_code ignored; fs::is_directory(m_target / name, ignored))
            error = std::make_error_code(std::errc::is_a_directory);
        if (error)
            return failAt(m_target / name, "cannot write the file", error);
        changes.push_back({.comes = isThere(stage() / name), .name = name});
    }
    fs::create_directory(scratch / kOld, error);
    if (error)
        return failAt(m_target, "cannot create a folder next to it", error);
    if (const Result<void> noted = writeFileAtomically((scratch / ScratchFolder::kJournal).string(), journalText(changes));
        !noted)
        return noted;
    for (const auto& [comes, name] : changes) {
        if (isThere(m_target / name))
            fs::rename(m_target / name, scratch / kOld / name, error);
        if (!error && comes)
            fs::rename(stage() / name, m_target / name, error);
        if (error) {
            putBack(scratch, m_target, changes);
            return failAt(m_target / name, "cannot write the file", error);
        }
    }
    reachDisk(m_target);
    fs::remove(scratch / ScratchFolder::kJournal, error);
    return {};
}

} // namespace sunder
