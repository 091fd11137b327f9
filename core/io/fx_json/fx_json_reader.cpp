#include "io/fx_json/fx_json_reader.h"

#include "io/fx_json/fx_json_lines.h"
#include "io/fx_json/fx_json_program_builder.h"

#include <filesystem>

namespace sunder {
namespace {

tl::unexpected<Error> inFile(Error error, const std::string& file, std::uint64_t line)
{
    error.where.file = file;
    if (error.where.line == 0)
        error.where.line = line;
    return tl::unexpected<Error>(std::move(error));
}

Result<Program> readLines(FxJsonLines& lines, const std::string& name, ProgressMonitor& monitor)
{
    constexpr std::uint64_t kLinesAReport = 4096;
    FxJsonProgramBuilder builder;
    for (;;) {
        const Result<std::optional<std::string_view>> line = lines.next();
        if (!line)
            return inFile(line.error(), name, lines.number() + 1);
        if (!*line)
            break;
        if (const Result<void> taken = builder.takeLine(**line, lines.number()); !taken)
            return inFile(taken.error(), name, 0);
        if (lines.number() % kLinesAReport != 0)
            continue;
        monitor.report(lines.fraction(), "Reading " + name);
        if (monitor.isCancelled())
            return fail(ErrorCode::cancelled, "reading was canceled", {.file = name});
    }
    Result<Program> program = builder.finish();
    if (!program)
        return inFile(program.error(), name, 0);
    program->origin.file = name;
    program->origin.folder = std::filesystem::path(name).parent_path().string();
    return program;
}

} // namespace

Result<Program> readFxJson(const std::string& path, ProgressMonitor& monitor)
{
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path, monitor);
    return file ? readFxJson(std::move(*file), monitor) : Result<Program>(forward(file));
}

Result<Program> readFxJson(std::shared_ptr<const SourceFile> file, ProgressMonitor& monitor)
{
    FxJsonLines lines = FxJsonLines::of(file);
    Result<Program> program = readLines(lines, file->path(), monitor);
    SUNDER_PROPAGATE(file->checkUnchanged());
    if (program)
        program->origin.opened = std::move(file);
    return program;
}

Result<Program> parseFxJson(std::string_view text, const std::string& nameForMessages)
{
    FxJsonLines lines = FxJsonLines::of(text);
    return readLines(lines, nameForMessages, ProgressMonitor::none());
}

} // namespace sunder
