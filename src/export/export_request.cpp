#include "export/export_request.h"

#include "document/text.h"
#include "export/program_exports.h"
#include "export/side_file_exports.h"

#include <QFileInfo>
#include <QObject>

namespace sunder {

namespace {

Result<QString> write(const ExportRequest& request, ProgressMonitor& monitor)
{
    switch (request.kind) {
    case ExportKind::graph: return writeProgram(request.outcome->split.program, request.path, monitor);
    case ExportKind::unflattened: return writeProgram(request.unflattened->result.program, request.path, monitor);
    case ExportKind::deduplicated: return writeProgram(request.regions->dedup->program, request.path, monitor);
    case ExportKind::taggedModel: return writeTaggedModel(request, monitor);
    case ExportKind::python: return writeScript(request, monitor);
    case ExportKind::drawing: return writeDrawing(request, monitor);
    case ExportKind::dag: return writeDag(*request.outcome, request.path);
    case ExportKind::cost: return writeCost(request.source->program, *request.outcome, request.path);
    case ExportKind::names: return writeNames(*request.outcome, request.path);
    case ExportKind::regions: return writeRegions(*request.source, *request.regions, request.path);
    case ExportKind::tags: return writeTags(request);
    case ExportKind::picture: return writePicture(request);
    case ExportKind::parts: break;
    }
    return fail(ErrorCode::usage, "nothing to export");
}

QString refusalOfModel(const Program& source)
{
    return source.signature && source.origin.format != "fx-json"
        ? QString()
        : QObject::tr("A .pt2 is made from the .pt2 that the model came from; this one was opened from %1. "
                      "Export the split graph as fx-json instead.")
              .arg(text(source.origin.format));
}

} // namespace

Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor)
{
    if (const QString why = refusalOf(request); !why.isEmpty())
        return fail(ErrorCode::refused, why.toStdString());
    if (request.kind == ExportKind::parts)
        return writeParts(request, monitor);
    const Result<QString> note = write(request, monitor);
    if (!note)
        return forward(note);
    const QFileInfo file(request.path);
    ExportedFiles files{file.absolutePath(), {file.absoluteFilePath()}, *note};
    if (const QString tags = tagsBesideDrawing(request); !tags.isEmpty())
        files.files << tags;
    return files;
}

QString refusalOf(const ExportRequest& request)
{
    switch (request.kind) {
    case ExportKind::parts:
    case ExportKind::graph:
    case ExportKind::taggedModel:
    case ExportKind::python:
    case ExportKind::dag:
    case ExportKind::cost:
    case ExportKind::names:
        if (!request.outcome)
            return QObject::tr("There is nothing split yet: close this, split (Ctrl+Return) or partition, then export.");
        if (request.kind == ExportKind::parts)
            return refusalOfParts(*request.outcome);
        return request.kind == ExportKind::taggedModel ? refusalOfModel(request.source->program) : QString();
    case ExportKind::unflattened:
        return request.unflattened ? QString() : QObject::tr("Nothing is unflattened yet: close this, unflatten, then export.");
    case ExportKind::regions:
        return request.regions ? QString() : QObject::tr("No regions were looked for yet: close this, deduplicate, then export.");
    case ExportKind::deduplicated:
        return request.regions && request.regions->dedup
            ? QString()
            : QObject::tr("Nothing is deduplicated yet: close this, deduplicate, then export.");
    case ExportKind::picture:
        return request.drawing || (request.picture && !request.picture->items.empty()) ? QString() : QObject::tr("The graph is still being drawn.");
    case ExportKind::tags:
    case ExportKind::drawing: break;
    }
    return {};
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
