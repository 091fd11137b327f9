#include "export/staged_folder.h"

#include <utility>

namespace sunder {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failAt(const fs::path& path, const std::string& what, const std::error_code& error)
{
    return fail(ErrorCode::io, what + ": " + error.message(), {.file = path.string()});
}

} // namespace

Result<StagedFolder> StagedFolder::create(const std::string& target)
{
    std::error_code error;
    fs::path path = fs::absolute(target, error).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    if (fs::exists(path, error) && !fs::is_directory(path, error))
        return fail(ErrorCode::io, "it is a file, and parts need a folder", {.file = target});
    fs::create_directories(path.parent_path(), error);
    if (error)
        return failAt(path.parent_path(), "the folder cannot be made", error);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const fs::path stage = path.parent_path() / ("." + path.filename().string() + ".new" + std::to_string(attempt));
        if (fs::create_directory(stage, error))
            return StagedFolder(path, stage);
        if (error)
            break;
    }
    return failAt(path, "no folder can be made beside it", error);
}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : m_target(std::move(other.m_target)), m_stage(std::exchange(other.m_stage, {}))
{
}

StagedFolder::~StagedFolder()
{
    std::error_code error;
    if (!m_stage.empty())
        fs::remove_all(m_stage, error);
}

Result<void> StagedFolder::commit(const std::vector<std::string>& names)
{
    std::error_code error;
    if (fs::is_directory(m_target, error))
        return replaceFiles(names);
    fs::rename(m_stage, m_target, error);
    if (error)
        return failAt(m_target, "the folder cannot be made", error);
    m_stage.clear();
    return {};
}

/// Old files go into the stage, so that they can be put back, and vanish with it.
Result<void> StagedFolder::replaceFiles(const std::vector<std::string>& names)
{
    std::error_code error;
    const fs::path old = m_stage / "old";
    fs::create_directory(old, error);
    std::size_t moved = 0;
    for (; moved < names.size() && !error; ++moved) {
        const fs::path place = m_target / names[moved];
        if (fs::is_directory(place, error))
            error = std::make_error_code(std::errc::is_a_directory);
        else if (fs::exists(place, error))
            fs::rename(place, old / names[moved], error);
        if (!error)
            fs::rename(m_stage / names[moved], place, error);
        if (error)
            break;
    }
    if (!error)
        return {};
    std::error_code ignored;
    for (std::size_t i = 0; i <= moved && i < names.size(); ++i) {
        if (i < moved)
            fs::remove(m_target / names[i], ignored);
        if (fs::exists(old / names[i], ignored))
            fs::rename(old / names[i], m_target / names[i], ignored);
    }
    return failAt(m_target / names[std::min(moved, names.size() - 1)], "the file cannot be written", error);
}

} // namespace sunder
