#pragma once

#include "support/scratch_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

/// Files that appear in a folder together or not at all, and replace those that an earlier run put there: they are
/// written in a scratch folder beside it and then moved. What is not committed is removed again.
///
/// A folder that holds nothing else is exchanged as a whole, in one step of the file system. Where other people's files
/// lie in it, they stay, and ours are moved one by one; what they replace is kept until all are there, and a run that is
/// killed in between is undone by the next one (a journal says what it was about to do).
class StagedFolder final {
public:
    /// Makes the scratch folder beside `target`, a folder or a link to one; undoes what a killed run left half done.
    /// Fails with ErrorCode::io, naming the path.
    static Result<StagedFolder> create(const std::string& target);

    /// Where to write a file of this name until commit().
    [[nodiscard]] std::string pathOf(const std::string& name) const { return (stage() / name).string(); }
    /// Where the file will lie.
    [[nodiscard]] std::filesystem::path placeOf(const std::string& name) const { return m_target / name; }

    /// Moves the files of these names into the target folder, which is made when it is not there, and removes those of
    /// `earlier` that are not among them. Others stay. When one cannot be moved, all is put back.
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
