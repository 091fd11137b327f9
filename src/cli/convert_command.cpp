#include "analysis/cut/flat_split.h"
#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "cli/torch_target.h"
#include "io/drawings/dot_writer.h"
#include "io/drawings/model_explorer_writer.h"
#include "io/pt2/pt2_programs.h"
#include "io/pt2/pt2_writer.h"
#include "io/python/python_writer.h"
#include "io/side_files/cut_formats.h"
#include "passes/to_exported/exported_form.h"
#include "support/file.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

/// Writes the graph and, since Model Explorer reads tags from a separate file, the tags.
Result<void> writeForModelExplorer(const Invocation& invocation, const Program& program, const std::string& path)
{
    const Result<void> written = invocation.outputs.write(path,
                                                          [&](const std::string& at) { return writeModelExplorer(program, at); });
    if (!written || !hasTags(program))
        return written;
    return invocation.outputs.write(tagsPathFor(path),
                                    [&](const std::string& at) { return writeModelExplorerTags(program, at); });
}

using Notes = std::vector<std::string>;

/// Converts a plain torch.fx program to an exported program first.
Result<void> writeExported(const Invocation& invocation, const Program& program, const std::string& path,
                           const Pt2WriteOptions& options, Notes& notes)
{
    if (program.signature)
        return writePt2(program, path, options, invocation.monitor);
    SUNDER_TRY(ExportedForm form, exportedForm(program, invocation.monitor));
    notes.insert(notes.end(), form.notes.begin(), form.notes.end());
    return writePt2(form.program, path, options, invocation.monitor);
}

/// A .pt2 file has no submodule calls, so a split is inlined into one graph with the part of each node as its tag.
Result<void> writeAsPt2(const Invocation& invocation, const Program& program, const std::string& path, Notes& notes)
{
    SUNDER_TRY(const std::optional<Pt2Schema> target, torchTargetOf(invocation));
    const Pt2WriteOptions options{.target = target, .remark = [&notes](const std::string& note) { notes.push_back(note); }};
    Result<FlatSplit> flat = flatSplit(program);
    if (!flat)
        return writeExported(invocation, program, path, options, notes);
    putTagsOnNodes(flat->program, flat->parts);
    return writeExported(invocation, flat->program, path, options, notes);
}

Result<void> writeAsPython(const Program& program, const std::string& path, Notes& notes)
{
    SUNDER_TRY(Notes written, writePython(program, path));
    notes.insert(notes.end(), written.begin(), written.end());
    return {};
}

Result<void> write(const Invocation& invocation, const Program& program, const std::string& path, Notes& notes)
{
    const auto timed = [&](const auto& work) {
        return invocation.timer.measure("write", [&] { return invocation.outputs.write(path, work); });
    };
    if (hasSuffix(path, {".fxj", ".fxj.gz"}))
        return writeOutput(invocation, program, path);
    if (hasSuffix(path, {".pt2"}))
        return timed([&](const auto& at) { return writeAsPt2(invocation, program, at, notes); });
    if (isPicture(path)) {
        SUNDER_TRY(const Drawing* const drawing, drawingOf(invocation));
        SUNDER_PROPAGATE(drawing->model(invocation, program, path, {}));
        return {};
    }
    if (hasSuffix(path, {".dot", ".gv"}))
        return timed([&](const auto& at) { return writeDot(program, at); });
    if (hasSuffix(path, {".py"}))
        return timed([&](const auto& at) { return writeAsPython(program, at, notes); });
    if (hasSuffix(path, {".json"}))
        return invocation.timer.measure("write", [&] { return writeForModelExplorer(invocation, program, path); });
    return fail(ErrorCode::usage,
                "no output format for the name " + path
                    + "; it must end in .fxj, .fxj.gz, .pt2, .dot, .py, .json (Model Explorer), .svg, .png, or .pdf");
}

constexpr CommandOption kConvertOptions[] = {
    {Takes::input, "tags", "TAGS.json", "Tags to write, instead of those in the model."},
    CommandOption{Takes::word, "cut-format", "module-fqns|split-points|megatron|vllm|device-map",
                  "Write only the cut, in the form of another tool."},
    kTorchTarget,
};

/// Writes the cut for another tool instead of the model.
Result<Outcome> writeCut(const Invocation& invocation)
{
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const TagAssignment tags, tagsFor(invocation, program));
    SUNDER_TRY(const CutText cut, cutText(program, tags, *parseCutFormat(invocation.value("cut-format"))));
    SUNDER_PROPAGATE(
        invocation.outputs.write(invocation.files[1], [&](const std::string& at) { return writeFileAtomically(at, cut.text); }));
    Outcome outcome{.notes = Notes()};
    outcome.json.member("written", invocation.files[1]);
    outcome.say("wrote " + invocation.files[1]);
    outcome.note(cut.notes);
    return outcome;
}

Result<Outcome> runConvert(const Invocation& invocation)
{
    if (invocation.isSet("cut-format"))
        return writeCut(invocation);
    if (invocation.isSet("target-torch") && !hasSuffix(invocation.files[1], {".pt2"}))
        return fail(ErrorCode::usage, "--target-torch needs an OUT that ends in .pt2");
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    if (invocation.isSet("tags")) {
        SUNDER_TRY(const TagAssignment tags, tagsFor(invocation, program));
        putTagsOnNodes(program, tags);
    }
    Notes notes;
    if (hasSuffix(invocation.files[1], {".fxj", ".fxj.gz", ".py"}) && holdsCompiledCode(program))
        notes.emplace_back(kCompiledCodeStays);
    SUNDER_PROPAGATE(write(invocation, program, invocation.files[1], notes));
    Outcome outcome{.notes = Notes()};
    outcome.json.member("written", invocation.files[1]);
    outcome.json.member("nodes", program.nodeCount());
    outcome.say("wrote " + invocation.files[1] + ", " + formatCount(program.nodeCount(), "node"));
    outcome.note(notes);
    return outcome;
}

} // namespace

Command convertCommand()
{
    return {"convert", "IN OUT", "Convert a model to the format given by the suffix of OUT.", joined({kConvertOptions}),
            runConvert};
}

} // namespace sunder::cli
