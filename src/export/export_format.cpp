#include "export/export_format.h"

#include <QFileInfo>

namespace sunder {

Result<ExportedFiles> runExport(const ExportRequest& request, ProgressMonitor& monitor)
{
    if (const QString why = refusalOf(request); !why.isEmpty())
        return fail(ErrorCode::refused, why.toStdString());
    return exportFormat(request.format).write(request, monitor);
}

QString refusalOf(const ExportRequest& request)
{
    const ExportFormat& format = exportFormat(request.format);
    if (!format.isThere(request.results))
        return format.without;
    return format.refusal == nullptr ? QString() : format.refusal(request);
}

Result<ExportedFiles> oneFile(const ExportRequest& request, const Result<QString>& note)
{
    SUNDER_PROPAGATE(note);
    const QFileInfo file(request.path);
    return ExportedFiles{file.absolutePath(), {file.absoluteFilePath()}, *note};
}

} // namespace sunder
