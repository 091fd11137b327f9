#pragma once

#include "support/result.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace sunder {

/// A hidden folder ".NAME.sunder-XXXXXX" next to a destination, for files that are finished before a rename moves them into
/// place. It is removed with the object. The owner holds a lock on it, which the system releases if the process is killed. The
/// next scratch folder created in the same parent folder detects leftovers by the missing lock, and removes them.
class ScratchFolder final {
public:
    /// Creates a folder next to `place`, whose parent must exist. Returns ErrorCode::io, naming `place`, on failure.
    static Result<ScratchFolder> beside(const std::filesystem::path& place);
    /// Creates a folder in the system's temporary directory, for destinations without a writable neighbor.
    static Result<ScratchFolder> elsewhere(const std::filesystem::path& place);
    /// Returns whether a file is in a folder created by elsewhere(): only this process reads it, so it need not be synced to
    /// disk.
    static bool isPassing(const std::filesystem::path& file);

    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// A subfolder for files under their final names, with the mode of a new folder.
    [[nodiscard]] std::filesystem::path files() const { return m_path / kFiles; }

    static constexpr const char* kFiles = "files";

    /// Name of a file which marks that a scratch folder contains a user's files that must be restored. Such a folder is not
    /// removed as a leftover.
    static constexpr const char* kJournal = "journal";
    /// Returns the folders next to `place` that a killed run left with a journal, each locked while the returned object exists.
    static std::vector<ScratchFolder> withJournals(const std::filesystem::path& place);

private:
    ScratchFolder(std::filesystem::path path, int lock);
    static Result<ScratchFolder> create(const std::filesystem::path& parent, const std::filesystem::path& place);

    std::filesystem::path m_path; ///< empty after a move
    int m_lock = -1; ///< descriptor of the folder, open and locked
};

/// Prevents signals from ending the process while files are moved into place. Hold it only for renames, never while waiting.
class CommitGuard final {
public:
    CommitGuard();

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// Prepares a process for termination by a signal: waits for moves in progress, prevents further ones, and removes the scratch
/// folders of all threads. No file may be written afterward.
void abandonScratchFolders();

} // namespace sunder
