#include "io/input_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace sunder {

Result<InputFile> openInputFile(const std::string& path)
{
    std::error_code error;
    errno = 0;
    InputFile file{.stream = std::ifstream(path, std::ios::binary), .bytes = 0};
    file.bytes = std::filesystem::file_size(path, error);
    if (!file.stream || error)
        return fail(ErrorCode::io, std::string("cannot read: ") + std::strerror(errno != 0 ? errno : error.value()),
                    {.file = path});
    return file;
}

} // namespace sunder
