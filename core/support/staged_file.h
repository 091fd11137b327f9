#pragma once

#include "support/scratch_folder.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sunder {

/// A file that is written in a scratch folder and then put in its place, so that the place holds the old file or the
/// whole new one. A symbolic link is followed and stays; the mode and the owner of the file that was there are kept, a new
/// file has those of the umask. A place that is a device, a pipe or a socket, /dev/stdout and /dev/fd/N among them, is never replaced: what was
/// written goes into it.
class StagedFile final {
public:
    /// ErrorCode::io, naming the place, when it is a folder, must not be written, or nothing can be made beside it.
    static Result<StagedFile> create(const std::string& place);

    /// Where to write: a path that is not there yet, with the file name of the place.
    [[nodiscard]] const std::string& path() const { return m_staged; }
    /// Call it when the file is written: everything reaches the disk. Into a device, pipe or socket it goes now.
    Result<void> seal();
    /// The file takes its place: no more than a rename. What was there is kept until this object ends.
    Result<void> commit();
    /// After commit(): puts back what was there.
    void undo();
    /// After commit(): makes the rename itself reach the disk.
    void settle() const;

private:
    enum class Kind : std::uint8_t { file, passing, stream };

    StagedFile(std::string place, std::filesystem::path target, Kind kind, ScratchFolder scratch);
    Result<void> copyOut();
    Result<void> prepare();

    std::string m_place; ///< as it was given, for messages
    std::filesystem::path m_target; ///< where links lead to
    Kind m_kind;
    ScratchFolder m_scratch;
    std::string m_staged;
    std::filesystem::path m_old; ///< what was there, once committed; empty when there was nothing
    bool m_isCommitted = false;
};

/// The number of the open file that a path such as /dev/stdout or /dev/fd/3 stands for.
std::optional<int> openFileOf(const std::filesystem::path& path);

/// The path with the symbolic links at its end followed, also where nothing is behind them.
std::filesystem::path behindLinks(const std::filesystem::path& path);

/// Puts one file or folder in the place of another; at `from` then lies what was there. False, with errno, where
/// the file system cannot do so.
bool exchangePaths(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes what was written to a file or a folder reach the disk. False, with errno, on failure.
bool reachDisk(const std::filesystem::path& path);

} // namespace sunder
