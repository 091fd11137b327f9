#include "support/python_package.h"

#include <system_error>

namespace sunder {
namespace {

bool hasPackage(const std::filesystem::path& folder)
{
    std::error_code error;
    return std::filesystem::is_regular_file(folder / "sunder" / "__init__.py", error);
}

} // namespace

std::filesystem::path pythonPackageFolder(const std::filesystem::path& program)
{
    std::error_code error;
    std::filesystem::path folder = std::filesystem::weakly_canonical(program, error).parent_path();
    if (const std::filesystem::path near = folder / "../share/sunder/python"; hasPackage(near))
        return std::filesystem::weakly_canonical(near, error);
    for (; folder.has_relative_path(); folder = folder.parent_path())
        if (const std::filesystem::path source = folder / "packaging" / "python"; hasPackage(source))
            return source;
    return {};
}

} // namespace sunder
