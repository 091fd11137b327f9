// Export formats for cuts other than parts: programs and code.
#include "document/passes/pass.h"
#include "document/text.h"
#include "export/checked_file.h"
#include "export/cut_format.h"
#include "io/pt2/pt2_writer.h"
#include "io/python/python_writer.h"
#include "text/amounts.h"

#include <algorithm>
#include <sstream>

namespace sunder {
namespace {

std::vector<TagPair> sortedTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<TagPair> pairs;
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            pairs.emplace_back(graph[id].name, tags.order[static_cast<std::size_t>(tags[id])]);
    std::sort(pairs.begin(), pairs.end(), [](const TagPair& a, const TagPair& b) { return a.first.view() < b.first.view(); });
    return pairs;
}

QString refusalOfModel(const ExportRequest& request)
{
    const Program& source = request.source->program;
    return source.signature && source.origin.format != "fx-json"
        ? QString()
        : tr("Only a model that was opened from a .pt2 can be written as .pt2; this one was opened from %1. "
             "Export the split graph as fx-json instead.")
              .arg(text(source.origin.format));
}

Result<ExportedFiles> writeSplitGraph(const ExportRequest& request, ProgressMonitor& monitor)
{
    return oneFile(request, writeProgram(request.result<SplitOutcomePtr>()->split.program, request.path, monitor));
}

Result<ExportedFiles> writeTaggedModel(const ExportRequest& request, ProgressMonitor& monitor)
{
    const SplitOutcomePtr cut = request.result<SplitOutcomePtr>();
    const Program program = taggedSource(request);
    monitor.report(0.1, "writing");
    QString note;
    const auto write = [&](const QString& at) {
        return writePt2(program, at.toStdString(), {.target = request.target}, monitor);
    };
    const auto check = [&](const QString& at) -> Result<void> {
        monitor.report(0.6, "checking the file");
        SUNDER_TRY(const ReadBack back, readBack(program, at, {}, monitor));
        const std::vector<TagPair> tags = sortedTags(program.rootGraph(), cut->tags);
        if (sortedTags(back.program.rootGraph(), tagsOnNodes(back.program)) != tags)
            return fail(ErrorCode::refused, "the tags in the written file differ from the tags of the model");
        note = tr("%1 %2 with tags.").arg(back.note, countText(tags.size(), "op"));
        return {};
    };
    SUNDER_PROPAGATE(writeChecked(request.path, write, check));
    return oneFile(request, note);
}

Result<ExportedFiles> writeScript(const ExportRequest& request, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    const SplitOptions options = optionsIn<SplitOptions>(request.result<SplitOutcomePtr>()->options);
    std::ostringstream script;
    SUNDER_TRY(const std::vector<std::string> notes,
               writePython(taggedSource(request), script, {.returnTuple = options.returnTuple}));
    SUNDER_PROPAGATE(writeTextChecked(request.path, script.str()));
    QString note = tr("File read back and checked. Run with the model's .pt2, the script "
                      "prints PyTorch's split.");
    if (!notes.empty())
        note += tr(" Python cannot express everything; see the comment at the top of the script.");
    if (options.keepSignature)
        note += tr(" PyTorch's split drops *, **, and default values of inputs; the split graph as fx-json keeps them.");
    return oneFile(request, note);
}

} // namespace

ExportFormat ofCut(ExportFormat format)
{
    format.of = SplitOutcome::kKind;
    format.without = tr("The model is not split yet. Close this dialog and split (Ctrl+Return) or partition first.");
    format.isListedWithout = true;
    return format;
}

Program taggedSource(const ExportRequest& request)
{
    Program program = request.source->program;
    putTagsOnNodes(program, request.result<SplitOutcomePtr>()->tags);
    return program;
}

ExportFormat splitGraphFormat()
{
    return ofCut({.id = QStringLiteral("graph"),
                  .icon = QStringLiteral("graph"),
                  .title = tr("Split graph"),
                  .what = tr("The main graph and all parts in one fx-json file, which Sunder can open."),
                  .ending = QStringLiteral("-split.fxj"),
                  .filter = tr("fx-json (*.fxj *.fxj.gz)"),
                  .write = writeSplitGraph});
}

ExportFormat taggedModelFormat()
{
    return ofCut(
        {.id = QStringLiteral("taggedModel"),
         .icon = QStringLiteral("tags"),
         .title = tr("Model with tags"),
         .what = tr("The model as .pt2 with the tag of each op in its metadata: torch.export.load restores it, with tags in "
                    "node.meta[\"custom\"]."),
         .ending = QStringLiteral("-tagged.pt2"),
         .filter = tr("Exported programs (*.pt2)"),
         .isPt2 = true,
         .refusal = refusalOfModel,
         .write = writeTaggedModel});
}

ExportFormat scriptFormat()
{
    return ofCut({.id = QStringLiteral("python"),
                  .icon = QStringLiteral("file"),
                  .title = tr("Python script"),
                  .what = tr("The graph and its tags as Python code that does not need Sunder: split(graph_module) runs the same "
                             "split_by_tags in PyTorch."),
                  .ending = QStringLiteral("-split.py"),
                  .filter = tr("Python (*.py)"),
                  .write = writeScript});
}

} // namespace sunder
