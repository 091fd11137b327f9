#pragma once

#include "support/scratch_folder.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sunder {

/// A file that is written in a scratch folder and then moved into place, so that the destination holds either the old file or the
/// complete new one. Symbolic links are followed and kept. An existing file's mode and owner are kept; a new file gets those of
/// the umask. Devices, pipes and sockets, including /dev/stdout and /dev/fd/N, are never replaced: the data is written to them.
class StagedFile final {
public:
    /// Prepares a file. Returns ErrorCode::io, naming the destination, if it is a folder or not writable, or if no scratch folder
    /// can be created next to it.
    static Result<StagedFile> create(const std::string& place);

    /// Path to write to: does not exist yet, and has the file name of the destination.
    [[nodiscard]] const std::string& path() const { return m_staged; }
    /// Call it after writing: syncs the data to disk. For a device, pipe or socket, writes the data to it.
    Result<void> seal();
    /// Moves the file into place with just a rename. The previous file is kept until this object is destroyed.
    Result<void> commit();
    /// After commit(): restores the previous file.
    void undo();
    /// After commit(): syncs the rename itself to disk.
    void settle() const;

private:
    enum class Kind : std::uint8_t { file, passing, stream };

    StagedFile(std::string place, std::filesystem::path target, Kind kind, ScratchFolder scratch);
    Result<void> copyOut();
    Result<void> prepare();

    std::string m_place; ///< as given, for messages
    std::filesystem::path m_target; ///< after following links
    Kind m_kind;
    ScratchFolder m_scratch;
    std::string m_staged;
    std::filesystem::path m_old; ///< the previous file, after commit(); empty if there was none
    bool m_isCommitted = false;
};

/// Returns the descriptor that a path such as /dev/stdout or /dev/fd/3 refers to.
std::optional<int> openFileOf(const std::filesystem::path& path);

/// Follows the symbolic links at the end of a path, even if the target does not exist.
std::filesystem::path behindLinks(const std::filesystem::path& path);

/// Atomically exchanges two files or folders. Returns false and sets errno if the file system does not support it.
bool exchangePaths(const std::filesystem::path& from, const std::filesystem::path& to);

/// Syncs a file or folder to disk. Returns false and sets errno on failure.
bool reachDisk(const std::filesystem::path& path);

} // namespace sunder
