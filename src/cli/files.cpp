#include "cli/files.h"

#include "cli/project_input.h"

#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/side_files/operators_file.h"
#include "io/sympy/size_assumptions.h"

#include <QFileInfo>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace sunder::cli {
namespace {

/// Returns the operator schema file of the option, else of the project.
std::string operatorsFileOf(const Invocation& invocation, const std::string& path)
{
    if (invocation.isSet("operators"))
        return invocation.value("operators");
    return isProjectPath(path) && invocation.project.file ? invocation.project.file->operatorsFile : std::string();
}

} // namespace

QString programPath()
{
    return QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget();
}

Result<Program> readInput(const Invocation& invocation, const std::string& path, const char* modelOption)
{
    const std::string model = invocation.value(invocation.isSet(modelOption) ? modelOption : "model");
    if (invocation.isSet("source") && !isProjectPath(path))
        return fail(ErrorCode::usage, "--source replaces the model of a project, and " + path + " is not a project");
    return invocation.timer.measure("read", [&]() -> Result<Program> {
        Result<Program> program = isProjectPath(path) ? readProjectModel(invocation, path, model)
                                                      : readModel(path, {.model = model}, invocation.monitor);
        if (program && invocation.isSet("assume")) {
            SUNDER_TRY(const std::vector<AssumedSize> sizes, parseAssumedSizes(invocation.value("assume")));
            SUNDER_PROPAGATE(assumeSizes(*program, sizes));
        }
        if (program && invocation.isSet("json"))
            for (const auto& [symbol, value] : assumedSizes(sizeAssumptions(*program)))
                invocation.sizes[symbol.str()] = value;
        const std::string schemas = operatorsFileOf(invocation, path);
        if (!program || schemas.empty())
            return program;
        SUNDER_TRY(const std::shared_ptr<const OperatorLibrary> operators, readOperators(schemas));
        program->operators = operators;
        return program;
    });
}

Result<void> writeOutput(const Invocation& invocation, const Program& program, const std::string& path)
{
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return invocation.timer.measure("write", [&] {
        return invocation.outputs.write(
            path, [&](const std::string& at) { return writeFxJson(program, at, folder, invocation.monitor); });
    });
}

std::string tagsPathFor(const std::string& path)
{
    constexpr std::string_view kSuffix = ".json";
    return path.substr(0, path.size() - kSuffix.size()) + ".tags.json";
}

bool hasSuffix(std::string_view path, std::initializer_list<std::string_view> suffixes)
{
    std::string lower(path);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view s) { return lower.ends_with(s); });
}

} // namespace sunder::cli
