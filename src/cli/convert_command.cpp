#include "analysis/cut/flat_split.h"
#include "cli/commands.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "io/dot_writer.h"
#include "io/model_explorer_writer.h"
#include "io/pt2_writer.h"
#include "io/python_writer.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

/// Model Explorer takes tags from a file of their own: OUT.json has OUT.tags.json beside it.
std::string tagsPathFor(const std::string& path)
{
    return path.substr(0, path.size() - std::string_view(".json").size()) + ".tags.json";
}

Result<void> writeForModelExplorer(const Program& program, const std::string& path)
{
    const Result<void> written = writeModelExplorer(program, path);
    return written && hasTags(program) ? writeModelExplorerTags(program, tagsPathFor(path)) : written;
}

/// A .pt2 knows no calls of submodules: a split goes back into one graph, with the part of each node as its tag.
Result<void> writeAsPt2(const Invocation& invocation, const Program& program, const std::string& path)
{
    Result<FlatSplit> flat = flatSplit(program);
    if (!flat)
        return writePt2(program, path, {}, invocation.monitor);
    putTagsOnNodes(flat->program, flat->parts);
    return writePt2(flat->program, path, {}, invocation.monitor);
}

Result<void> write(const Invocation& invocation, const Program& program, const std::string& path)
{
    const auto timed = [&](const auto& work) { return invocation.timer.measure("write", work); };
    if (hasSuffix(path, {".fxj", ".fxj.gz"}))
        return writeOutput(invocation, program, path);
    if (hasSuffix(path, {".pt2"}))
        return timed([&] { return writeAsPt2(invocation, program, path); });
    if (hasSuffix(path, {".svg", ".png", ".pdf"}))
        return draw(invocation, program, path, {});
    if (hasSuffix(path, {".dot", ".gv"}))
        return timed([&] { return writeDot(program, path); });
    if (hasSuffix(path, {".py"}))
        return timed([&] { return writePython(program, path); });
    if (hasSuffix(path, {".json"}))
        return timed([&] { return writeForModelExplorer(program, path); });
    return fail(ErrorCode::usage, "cannot tell the format to write from the name " + path +
                                      ": it must end in .fxj, .fxj.gz, .pt2, .dot, .py, .json (Model Explorer), .svg, .png or .pdf");
}

void declare(QCommandLineParser& parser)
{
    parser.addOption({QStringLiteral("tags"), QStringLiteral("Tags to write into the model, in place of its own."),
                      QStringLiteral("TAGS.json")});
}

Result<Outcome> run(const Invocation& invocation)
{
    Result<Program> program = readInput(invocation, invocation.files[0]);
    if (!program)
        return forward(program);
    if (invocation.isSet("tags")) {
        const Result<TagAssignment> tags = tagsFor(invocation, *program);
        if (!tags)
            return forward(tags);
        putTagsOnNodes(*program, *tags);
    }
    if (const Result<void> written = write(invocation, *program, invocation.files[1]); !written)
        return forward(written);
    return Outcome{.text = "wrote " + invocation.files[1] + ", " + formatCount(program->nodeCount(), "node") + "\n",
                   .json = {{QStringLiteral("written"), text(invocation.files[1])},
                            {QStringLiteral("nodes"), static_cast<qint64>(program->nodeCount())}}};
}

} // namespace

Command convertCommand()
{
    return {"convert", "IN OUT", "Writes a model in another format, by the suffix of OUT.", declare, run};
}

} // namespace sunder::cli
