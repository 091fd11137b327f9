#pragma once

#include "support/scratch_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

/// Writes files to a folder together or not at all, replacing those of an earlier run. Files are written to a scratch folder
/// next to it and then moved. Without commit(), they are deleted.
///
/// A folder without other files is replaced as a whole, in one file system operation. If it contains other files, these are kept
/// and the new files are moved one by one. Replaced files are kept until all are moved. If the process is killed in between, the
/// next run undoes the changes with the help of a journal.
class StagedFolder final {
public:
    /// Creates the scratch folder next to `target`, a folder or a link to one, and undoes the partial changes of a killed run.
    /// Fails with ErrorCode::io, naming the path.
    static Result<StagedFolder> create(const std::string& target);

    /// Returns the path for writing a file of this name before commit().
    [[nodiscard]] std::string pathOf(const std::string& name) const { return (stage() / name).string(); }
    /// Returns the final path of a file.
    [[nodiscard]] std::filesystem::path placeOf(const std::string& name) const { return m_target / name; }

    /// Moves the named files into the target folder, creating it if necessary, and removes the files in `earlier` that are not
    /// among them. Keeps all others. If a file cannot be moved, restores the previous state.
    Result<void> commit(const std::vector<std::string>& names, const std::vector<std::string>& earlier = {});

private:
    StagedFolder(std::filesystem::path target, ScratchFolder scratch) : m_target(std::move(target)), m_scratch(std::move(scratch))
    {
    }
    [[nodiscard]] std::filesystem::path stage() const { return m_scratch.files(); }
    [[nodiscard]] bool holdsOnly(const std::vector<std::string>& names) const;
    bool exchange();
    Result<void> replaceFiles(const std::vector<std::string>& names);

    std::filesystem::path m_target;
    ScratchFolder m_scratch;
};

} // namespace sunder
