#include "export/export_request.h"

#include "document/open_model.h"
#include "document/text.h"
#include "export/checked_file.h"
#include "export/export_parts.h"
#include "io/fx_json_writer.h"
#include "io/model_file.h"
#include "support/format.h"

#include <QDir>
#include <QFileInfo>
#include <QObject>

namespace sunder {

namespace {

ExportedFiles oneFile(const QString& path, const QString& note)
{
    const QFileInfo file(path);
    return {file.absolutePath(), {file.absoluteFilePath()}, note};
}

Result<ExportedFiles> writeParts(const ExportRequest& request, ProgressMonitor& monitor)
{
    ExportPartsOptions options;
    options.proof = request.outcome->isProven() ? Proof::proven
        : request.outcome->report.verdict == Verdict::different ? Proof::different
                                                                 : Proof::undecided;
    options.why = request.outcome->report.why;
    const Result<ExportedParts> written = exportParts(request.source->program, request.outcome->split,
                                                      request.path.toStdString(), options, monitor);
    if (!written)
        return forward(written);
    ExportedFiles files{.folder = QFileInfo(request.path).absoluteFilePath()};
    files.files << text(written->manifest);
    for (const std::string& file : written->files)
        files.files << text(file);
    files.note = QObject::tr("Every part was read back and is as it was cut.");
    return files;
}

Result<void> checkGraph(const Program& program, const QString& path, ProgressMonitor& monitor)
{
    const Result<Program> back = readModel(path.toStdString(), {}, monitor);
    if (!back)
        return forward(back);
    const Result<VerifyReport> same = verify(program, *back, {}, monitor);
    if (!same)
        return forward(same);
    if (same->verdict == Verdict::different)
        return fail(ErrorCode::refused, "what was written reads back as another program: " + same->why);
    return {};
}

Result<ExportedFiles> writeGraph(const ExportRequest& request, ProgressMonitor& monitor)
{
    const Program& program = request.outcome->split.program;
    monitor.report(0.1, "writing");
    const Result<void> written = writeChecked(
        request.path, [&](const QString& path) { return writeFxJson(program, path.toStdString()); },
        [&](const QString& path) {
            monitor.report(0.5, "reading it back");
            return checkGraph(program, path, monitor);
        });
    if (!written)
        return forward(written);
    return oneFile(request.path, QObject::tr("Read back and found to be the same program."));
}

Result<void> checkTags(const ExportRequest& request, const QString& path)
{
    const Result<LoadedTags> back = loadTagsFile(path, *request.source);
    if (!back)
        return forward(back);
    if (back->tags.tagOf != request.tags.tags.tagOf)
        return fail(ErrorCode::refused, "the tags read back are not those that were written");
    return {};
}

Result<ExportedFiles> writeTags(const ExportRequest& request)
{
    const Result<void> written = writeChecked(
        request.path, [&](const QString& path) { return saveTagsFile(path, *request.source, request.tags); },
        [&](const QString& path) { return checkTags(request, path); });
    if (!written)
        return forward(written);
    return oneFile(request.path, QObject::tr("Read back and found to be the same tags."));
}

Result<ExportedFiles> writePicture(const ExportRequest& request)
{
    const Result<void> written =
        exportPicture(*request.picture, request.style, request.path.toStdString(), request.pictureOptions);
    if (!written)
        return forward(written);
    return oneFile(request.path, text(formatBytes(static_cast<std::uint64_t>(QFileInfo(request.path).size()))) + QLatin1Char('.'));
}

} // namespace

Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor)
{
    switch (request.kind) {
    case ExportKind::parts: return writeParts(request, monitor);
    case ExportKind::graph: return writeGraph(request, monitor);
    case ExportKind::tags: return writeTags(request);
    case ExportKind::picture: return writePicture(request);
    }
    return fail(ErrorCode::usage, "nothing to export");
}

QString refusalOfParts(const SplitOutcome& outcome)
{
    if (outcome.isProven())
        return {};
    const VerifyReport& report = outcome.report;
    QString refusal = report.verdict == Verdict::different
        ? QObject::tr("Parts are not exported: they compute something else than the model. %1")
        : QObject::tr("Parts are not exported: nobody has proven that they compute what the model does. %1");
    refusal = refusal.arg(sentence(report.why));
    const QString a = text(report.nameA);
    const QString b = text(report.nameB);
    if (!a.isEmpty() && !b.isEmpty() && !(refusal.contains(a) && refusal.contains(b)))
        refusal += QObject::tr(" They part at %1 in the model and %2 in the result.").arg(a, b);
    return refusal;
}

} // namespace sunder
