#include "export/checked_file.h"
#include "export/export_format.h"
#include "text/amounts.h"

#include <QFile>
#include <QImageReader>
#include <QXmlStreamReader>

#include <algorithm>

namespace sunder {
namespace {

/// A picture that can be opened again, and its size in words.
Result<QString> checkPicture(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::io, "cannot read the picture back: " + file.errorString().toStdString());
    const QString bytes = bytesText(static_cast<std::uint64_t>(file.size()));
    if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        QImageReader reader(&file, "png");
        const QSize size = reader.size();
        if (!reader.canRead() || size.isEmpty())
            return fail(ErrorCode::io, "the picture does not read back: " + reader.errorString().toStdString());
        return tr("Read back: %1 × %2 pixels, %3.").arg(size.width()).arg(size.height()).arg(bytes);
    }
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QXmlStreamReader reader(&file);
        qsizetype elements = 0;
        while (!reader.atEnd())
            elements += reader.readNext() == QXmlStreamReader::StartElement ? 1 : 0;
        if (reader.hasError() || elements == 0)
            return fail(ErrorCode::io, "the picture does not read back: " + reader.errorString().toStdString());
        return tr("Read back: %1, %2.").arg(countText(static_cast<std::size_t>(elements), "element"), bytes);
    }
    const bool begins = file.read(5) == "%PDF-";
    file.seek(std::max<qint64>(0, file.size() - 32));
    if (!begins || !file.readAll().contains("%%EOF"))
        return fail(ErrorCode::io, "the picture does not read back: it is no whole PDF");
    return tr("Read back: a whole PDF, %1.").arg(bytes);
}

Result<ExportedFiles> writePicture(const ExportRequest& request, ProgressMonitor&)
{
    QString note;
    const Result<void> written = writeChecked(
        request.path,
        [&](const QString& path) {
            if (request.drawing)
                return exportDrawing(*request.drawing, path.toStdString(), request.pictureOptions);
            return exportPicture(*request.picture, request.style, path.toStdString(), request.pictureOptions);
        },
        [&](const QString& path) -> Result<void> {
            const Result<QString> checked = checkPicture(path);
            if (!checked)
                return forward(checked);
            note = *checked;
            return {};
        });
    return written ? oneFile(request, note) : Result<ExportedFiles>(forward(written));
}

QString refusalOfPicture(const ExportRequest& request)
{
    const bool isThere = request.drawing || (request.picture && !request.picture->items.empty());
    return isThere ? QString() : tr("The graph is still being drawn.");
}

} // namespace

ExportFormat pictureFormat()
{
    return {.id = QStringLiteral("picture"),
            .icon = QStringLiteral("picture"),
            .title = tr("Picture"),
            .what = tr("A graph as it is drawn now, with its colours."),
            .ending = QStringLiteral(".svg"),
            .filter = tr("Pictures (*.svg *.png *.pdf)"),
            .asking = ExportAsking::picture,
            .variants = {{tr("SVG, sharp at any size"), QStringLiteral(".svg")},
                         {tr("PNG, pixels"), QStringLiteral(".png")},
                         {tr("PDF, one page"), QStringLiteral(".pdf")}},
            .refusal = refusalOfPicture,
            .write = writePicture};
}

} // namespace sunder
