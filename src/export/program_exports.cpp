#include "export/program_exports.h"

#include "document/text.h"
#include "export/checked_file.h"
#include "parts/export_parts.h"
#include "parts/stored_contents.h"
#include "export/text_file.h"
#include "io/drawings/dot_writer.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/drawings/model_explorer_writer.h"
#include "io/model_file.h"
#include "io/pt2/pt2_writer.h"
#include "io/python/python_writer.h"
#include "support/format.h"
#include "text/amounts.h"
#include "verify/verdict_text.h"

#include <QFileInfo>
#include <QObject>

#include <algorithm>
#include <sstream>

namespace sunder {

namespace {

Proof proofOf(const Outcome& outcome)
{
    switch (outcome.report.verdict) {
    case Verdict::same: return Proof::proven;
    case Verdict::different: return Proof::different;
    case Verdict::undecided: break;
    }
    return Proof::undecided;
}

/// The source with the cut on its nodes.
Program taggedSource(const ExportRequest& request)
{
    Program program = request.source->program;
    putTagsOnNodes(program, request.outcome->tags);
    return program;
}

/// A program as it was read back, and what was found.
struct ReadBack {
    Program program;
    QString note;
};

/// Reads back what was written of a program and has it verified. Refused when it is another program.
Result<ReadBack> readBack(const Program& program, const QString& path, ProgressMonitor& monitor)
{
    Result<Program> back = readModel(path.toStdString(), {}, monitor);
    if (!back)
        return forward(back);
    const StoredContents contents;
    const Result<VerifyReport> report = verify(program, *back, {.contents = &contents}, monitor);
    if (!report)
        return forward(report);
    const QString nodes = countText(back->nodeCount(), "node");
    switch (report->verdict) {
    case Verdict::different:
        return fail(ErrorCode::refused, "what was written reads back as another program: " + report->why);
    case Verdict::undecided:
        return ReadBack{std::move(*back), QObject::tr("Read back: %1, but not proven to compute the same. %2")
                                              .arg(nodes, sentence(report->why))};
    case Verdict::same: break;
    }
    return ReadBack{std::move(*back),
                    QObject::tr("Read back: %1, proven to compute the same. %2").arg(nodes, text(basisText(*report)))};
}

std::vector<TagPair> sortedTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<TagPair> pairs;
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            pairs.emplace_back(graph[id].name, tags.order[static_cast<std::size_t>(tags[id])]);
    std::sort(pairs.begin(), pairs.end(),
              [](const TagPair& a, const TagPair& b) { return a.first.view() < b.first.view(); });
    return pairs;
}

} // namespace

Result<ExportedFiles> writeParts(const ExportRequest& request, ProgressMonitor& monitor)
{
    const ExportPartsOptions options{.proof = proofOf(*request.outcome), .why = request.outcome->report.why};
    const Result<ExportedParts> written = exportParts(request.source->program, request.outcome->split,
                                                      request.path.toStdString(), options, monitor);
    if (!written)
        return forward(written);
    ExportedFiles files{.folder = QFileInfo(request.path).absoluteFilePath()};
    files.files << text(written->manifest);
    for (const std::string& file : written->files)
        files.files << text(file);
    files.note = QObject::tr("Every part was read back and is as it was cut.");
    if (written->contents.taken.empty() && written->contents.tensors != 0)
        files.note += QObject::tr(" The weights in them (%1) are those of the model, bit for bit.")
                          .arg(bytesText(written->contents.bytes));
    else if (!written->contents.taken.empty())
        files.note += QObject::tr(" Their weights were not compared with the model's: %1.")
                          .arg(text(written->contents.taken.front().why));
    return files;
}

Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    QString note;
    const Result<void> written = writeChecked(
        path, [&](const QString& at) { return writeFxJson(program, at.toStdString()); },
        [&](const QString& at) -> Result<void> {
            monitor.report(0.5, "reading it back");
            const Result<ReadBack> back = readBack(program, at, monitor);
            if (!back)
                return forward(back);
            note = back->note;
            return {};
        });
    return written ? Result<QString>(note) : Result<QString>(forward(written));
}

Result<QString> writeTaggedModel(const ExportRequest& request, ProgressMonitor& monitor)
{
    const Program program = taggedSource(request);
    monitor.report(0.1, "writing");
    QString note;
    const Result<void> written = writeChecked(
        request.path, [&](const QString& at) { return writePt2(program, at.toStdString(), {}, monitor); },
        [&](const QString& at) -> Result<void> {
            monitor.report(0.6, "reading it back");
            const Result<ReadBack> back = readBack(program, at, monitor);
            if (!back)
                return forward(back);
            const std::vector<TagPair> tags = sortedTags(program.rootGraph(), request.outcome->tags);
            if (sortedTags(back->program.rootGraph(), tagsOnNodes(back->program)) != tags)
                return fail(ErrorCode::refused, "the tags read back are not those that were written");
            note = QObject::tr("%1 %2 carry their tags.").arg(back->note, countText(tags.size(), "op"));
            return {};
        });
    return written ? Result<QString>(note) : Result<QString>(forward(written));
}

Result<QString> writeScript(const ExportRequest& request, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    std::ostringstream script;
    const Result<std::vector<std::string>> notes =
        writePython(taggedSource(request), script, {.returnTuple = request.outcome->options.returnTuple});
    if (!notes)
        return forward(notes);
    const Result<void> written = writeTextChecked(request.path, script.str());
    if (!written)
        return forward(written);
    QString note = QObject::tr("Read back and found to be what was written. Started with the model's .pt2, the script "
                               "prints the split that PyTorch makes.");
    if (!notes->empty())
        note += QObject::tr(" Not everything could be said in Python; the script begins with what.");
    return request.outcome->options.keepSignature
        ? note + QObject::tr(" That one loses *, ** and default values of inputs; the split graph as fx-json keeps them.")
        : note;
}

Result<QString> writeDrawing(const ExportRequest& request, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    Program tagged;
    const Program* program = nullptr;
    switch (request.drawn) {
    case DrawnProgram::cut: program = &request.outcome->split.program; break;
    case DrawnProgram::unflattened: program = &request.unflattened->result.program; break;
    case DrawnProgram::deduplicated: program = &request.regions->dedup->program; break;
    case DrawnProgram::model:
        tagged = request.source->program;
        putTagsOnNodes(tagged, request.tags.tags);
        program = &tagged;
        break;
    }
    const bool forExplorer = request.path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    std::ostringstream text;
    if (forExplorer)
        writeModelExplorer(*program, text);
    else
        writeDot(*program, text);
    const Result<void> written =
        forExplorer ? writeJsonChecked(request.path, text.str()) : writeTextChecked(request.path, text.str());
    if (!written)
        return forward(written);
    if (const QString tagsPath = tagsBesideDrawing(request); !tagsPath.isEmpty()) {
        std::ostringstream tags;
        writeModelExplorerTags(*program, tags);
        if (const Result<void> done = writeJsonChecked(tagsPath, tags.str()); !done)
            return forward(done);
    }
    return QObject::tr("Read back and found to be what was written: %1.")
        .arg(sunder::text(formatCount(program->nodeCount(), "node")));
}

QString tagsBesideDrawing(const ExportRequest& request)
{
    const bool isTagged = request.kind == ExportKind::drawing && request.drawn == DrawnProgram::model
        && std::any_of(request.tags.tags.tagOf.begin(), request.tags.tags.tagOf.end(),
                       [](std::int32_t tag) { return tag != TagAssignment::kUntagged; });
    if (!isTagged || !request.path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        return {};
    return request.path.chopped(5) + QStringLiteral(".tags.json");
}

} // namespace sunder
