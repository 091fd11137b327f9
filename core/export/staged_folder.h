#pragma once

#include "support/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

/// Files that appear in a folder together or not at all: they are written into a folder beside it and then moved.
/// What is not committed is removed again.
class StagedFolder final {
public:
    /// Makes the folder beside `target`. Fails with ErrorCode::io, naming the path.
    static Result<StagedFolder> create(const std::string& target);
    StagedFolder(StagedFolder&& other) noexcept;
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    StagedFolder& operator=(StagedFolder&&) = delete;
    ~StagedFolder();

    /// Where to write a file of this name until commit().
    [[nodiscard]] std::string pathOf(const std::string& name) const { return (m_stage / name).string(); }
    /// Moves the files into the target folder, which is made when it is not there; files of these names are
    /// replaced, others stay. When one cannot be moved, all is put back.
    Result<void> commit(const std::vector<std::string>& names);

private:
    StagedFolder(std::filesystem::path target, std::filesystem::path stage)
        : m_target(std::move(target)), m_stage(std::move(stage))
    {
    }
    Result<void> replaceFiles(const std::vector<std::string>& names);

    std::filesystem::path m_target;
    std::filesystem::path m_stage; ///< empty once moved away
};

} // namespace sunder
