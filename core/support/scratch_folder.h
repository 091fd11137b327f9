#pragma once

#include "support/result.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace sunder {

/// A hidden folder for what is made before it is put in its place: ".NAME.sunder-XXXXXX" beside the place, so that a
/// rename is all that is left to do. It vanishes with the object. Its owner holds a lock on it for as long as it lives,
/// which the system takes back from a killed process: the next one that makes such a folder at the same place knows by
/// that what is left over, and takes it away.
class ScratchFolder final {
public:
    /// Beside `place`, whose folder must be there. ErrorCode::io, naming the place.
    static Result<ScratchFolder> beside(const std::filesystem::path& place);
    /// Where the system keeps temporary files, for what cannot be made beside its place.
    static Result<ScratchFolder> elsewhere(const std::filesystem::path& place);
    /// Whether a file is in a folder made elsewhere: only this process reads it, so it need not be synced to disk.
    static bool isPassing(const std::filesystem::path& file);

    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// A folder in it for files under their own names, with the mode of a new folder.
    [[nodiscard]] std::filesystem::path files() const { return m_path / kFiles; }

    static constexpr const char* kFiles = "files";

    /// In a scratch folder that holds a file of this name somebody's files wait to be put back: it is not taken away
    /// with what else is left over.
    static constexpr const char* kJournal = "journal";
    /// Those folders beside `place` that a killed run left with a journal, each locked for as long as it is held here.
    static std::vector<ScratchFolder> withJournals(const std::filesystem::path& place);

private:
    ScratchFolder(std::filesystem::path path, int lock);
    static Result<ScratchFolder> create(const std::filesystem::path& parent, const std::filesystem::path& place);

    std::filesystem::path m_path; ///< empty once moved from
    int m_lock = -1;              ///< the folder, open and locked
};

/// Held while files go to their places: no signal ends the process in between. Short: renames, nothing that waits.
class CommitGuard final {
public:
    CommitGuard();

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// For a process that is about to be ended by a signal: waits for files that are just going to their places, lets no
/// others follow, and takes the scratch folders of all threads away. Nothing may be written after it.
void abandonScratchFolders();

} // namespace sunder
