#include "cli/files.h"

#include "io/fx_json_writer.h"
#include "io/model_file.h"

#include <algorithm>
#include <cctype>

namespace sunder::cli {

Result<Program> readInput(const Invocation& invocation, const std::string& path)
{
    return invocation.timer.measure(
        "read", [&] { return readModel(path, {.model = invocation.value("model")}, invocation.monitor); });
}

Result<void> writeOutput(const Invocation& invocation, const Program& program, const std::string& path)
{
    return invocation.timer.measure("write", [&] { return writeFxJson(program, path); });
}

bool hasSuffix(std::string_view path, std::initializer_list<std::string_view> suffixes)
{
    std::string lower(path);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view s) { return lower.ends_with(s); });
}

} // namespace sunder::cli
