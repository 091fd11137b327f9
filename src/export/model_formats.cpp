// Export formats for the model: its tags, and its graph for other viewers.
#include "document/open_model.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"
#include "export/checked_file.h"
#include "export/export_format.h"
#include "io/drawings/dot_writer.h"
#include "io/drawings/model_explorer_writer.h"
#include "support/format.h"

#include <algorithm>
#include <sstream>

namespace sunder {
namespace {

Result<void> checkTags(const ExportRequest& request, const QString& path)
{
    SUNDER_TRY(const LoadedTags back, loadTagsFile(path, *request.source));
    if (back.tags.tagOf != request.tags.tags.tagOf)
        return fail(ErrorCode::refused, "the tags in the written file differ from the tags of the model");
    return {};
}

Result<ExportedFiles> writeTags(const ExportRequest& request, ProgressMonitor&)
{
    SUNDER_PROPAGATE(writeChecked(
        request.path, [&](const QString& path) { return saveTagsFile(path, *request.source, request.tags); },
        [&](const QString& path) { return checkTags(request, path); }));
    return oneFile(request, tr("File read back and checked."));
}

bool isForExplorer(const QString& path)
{
    return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
}

/// Returns the program of the requested result, or the model with its tags on its nodes.
std::shared_ptr<const Program> drawnProgram(const ExportRequest& request)
{
    for (const RunResult& result : request.results)
        if (request.drawn == result->kind)
            return {result, descriptionOf(result->kind).program(*result)};
    auto tagged = std::make_shared<Program>(request.source->program);
    putTagsOnNodes(*tagged, request.tags.tags);
    return tagged;
}

/// Returns the path of the tags file for Model Explorer; empty if none is written.
QString tagsBesideDrawing(const ExportRequest& request)
{
    const bool isTagged = !request.drawn
        && std::ranges::any_of(request.tags.tags.tagOf, [](std::int32_t tag) { return tag != TagAssignment::kUntagged; });
    return isTagged && isForExplorer(request.path) ? request.path.chopped(5) + QStringLiteral(".tags.json") : QString();
}

Result<ExportedFiles> writeDrawing(const ExportRequest& request, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    const std::shared_ptr<const Program> drawn = drawnProgram(request);
    const bool forExplorer = isForExplorer(request.path);
    std::ostringstream written;
    if (forExplorer)
        writeModelExplorer(*drawn, written);
    else
        writeDot(*drawn, written);
    SUNDER_PROPAGATE(forExplorer ? writeJsonChecked(request.path, written.str()) : writeTextChecked(request.path, written.str()));
    const QString besides = tagsBesideDrawing(request);
    if (!besides.isEmpty()) {
        std::ostringstream tags;
        writeModelExplorerTags(*drawn, tags);
        SUNDER_PROPAGATE(writeJsonChecked(besides, tags.str()));
    }
    ExportedFiles files = *oneFile(request,
                                   tr("File read back and checked: %1.").arg(text(formatCount(drawn->nodeCount(), "node"))));
    if (!besides.isEmpty())
        files.files << besides;
    return files;
}

} // namespace

ExportFormat tagsFormat()
{
    return {.id = QStringLiteral("tags"),
            .icon = QStringLiteral("tags"),
            .title = tr("Tags"),
            .what = tr("The tag of each op and the order of tags, as JSON for sunder-cli and scripts."),
            .ending = QStringLiteral(".tags.json"),
            .filter = tr("Tags (*.json)"),
            .write = writeTags};
}

ExportFormat drawingFormat()
{
    return {.id = QStringLiteral("drawing"),
            .icon = QStringLiteral("file"),
            .title = tr("Graph for other viewers"),
            .what = tr("Ops, edges, modules, and tags as DOT for Graphviz or as JSON for Model Explorer."),
            .ending = QStringLiteral(".dot"),
            .filter = tr("Graphs (*.dot *.json)"),
            .asking = ExportAsking::program,
            .variants = {{tr("DOT, for Graphviz"), QStringLiteral(".dot")},
                         {tr("JSON, for Model Explorer"), QStringLiteral(".json")}},
            .write = writeDrawing};
}

} // namespace sunder
