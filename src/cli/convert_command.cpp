#include "cli/commands.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "io/pt2_writer.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

Result<void> write(const Invocation& invocation, const Program& program, const std::string& path)
{
    if (hasSuffix(path, {".fxj", ".fxj.gz"}))
        return writeOutput(invocation, program, path);
    if (hasSuffix(path, {".pt2"}))
        return invocation.timer.measure("write", [&] { return writePt2(program, path, {}); });
    if (hasSuffix(path, {".svg", ".png", ".pdf"}))
        return draw(invocation, program, path, {});
    return fail(ErrorCode::usage, "cannot tell the format to write from the name " + path +
                                      ": it must end in .fxj, .fxj.gz, .pt2, .svg, .png or .pdf");
}

Result<Outcome> run(const Invocation& invocation)
{
    const Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    if (const Result<void> written = write(invocation, *program, invocation.files[1]); !written)
        return forward(written);
    return Outcome{.text = "wrote " + invocation.files[1] + ", " + formatCount(program->nodeCount(), "node") + "\n",
                   .json = {{QStringLiteral("written"), text(invocation.files[1])},
                            {QStringLiteral("nodes"), static_cast<qint64>(program->nodeCount())}}};
}

} // namespace

Command convertCommand()
{
    return {"convert", "IN OUT", "Writes a model in another format, by the suffix of OUT.", [](QCommandLineParser&) {}, run};
}

} // namespace sunder::cli
