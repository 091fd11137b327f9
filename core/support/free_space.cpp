#include "support/free_space.h"

#include "support/format.h"

#include <filesystem>

namespace sunder {

std::optional<std::uint64_t> freeSpaceAt(const std::string& path)
{
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    while (!error && !std::filesystem::exists(at, error) && at.has_relative_path())
        at = at.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(at, error);
    return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

Result<void> checkFreeSpace(const std::string& folder, std::uint64_t bytes, const std::string& what)
{
    const std::optional<std::uint64_t> free = freeSpaceAt(folder);
    if (!free || bytes <= *free)
        return {};
    return fail(ErrorCode::io,
                "not enough disk space: " + what + " take about " + formatBytes(bytes) + ", but only " + formatBytes(*free)
                    + " are free; free up space or choose a folder on another disk",
                {.file = folder});
}

} // namespace sunder
