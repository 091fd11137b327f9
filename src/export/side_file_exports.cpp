#include "export/side_file_exports.h"

#include "document/open_model.h"
#include "document/text.h"
#include "export/checked_file.h"
#include "parts/regions_by_name.h"
#include "export/text_file.h"
#include "io/side_files/cut_report_writer.h"
#include "io/side_files/name_map_file.h"
#include "io/side_files/partition_dag_file.h"
#include "text/amounts.h"

#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QObject>
#include <QXmlStreamReader>

namespace sunder {

namespace {

Result<void> checkTags(const ExportRequest& request, const QString& path)
{
    const Result<LoadedTags> back = loadTagsFile(path, *request.source);
    if (!back)
        return forward(back);
    if (back->tags.tagOf != request.tags.tags.tagOf)
        return fail(ErrorCode::refused, "the tags read back are not those that were written");
    return {};
}

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
        return QObject::tr("Read back: %1 × %2 pixels, %3.").arg(size.width()).arg(size.height()).arg(bytes);
    }
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QXmlStreamReader reader(&file);
        qsizetype elements = 0;
        while (!reader.atEnd())
            elements += reader.readNext() == QXmlStreamReader::StartElement ? 1 : 0;
        if (reader.hasError() || elements == 0)
            return fail(ErrorCode::io, "the picture does not read back: " + reader.errorString().toStdString());
        return QObject::tr("Read back: %1, %2.").arg(countText(static_cast<std::size_t>(elements), "element"), bytes);
    }
    const bool begins = file.read(5) == "%PDF-";
    file.seek(std::max<qint64>(0, file.size() - 32));
    if (!begins || !file.readAll().contains("%%EOF"))
        return fail(ErrorCode::io, "the picture does not read back: it is no whole PDF");
    return QObject::tr("Read back: a whole PDF, %1.").arg(bytes);
}

} // namespace

Result<QString> writeTags(const ExportRequest& request)
{
    const Result<void> written = writeChecked(
        request.path, [&](const QString& path) { return saveTagsFile(path, *request.source, request.tags); },
        [&](const QString& path) { return checkTags(request, path); });
    if (!written)
        return forward(written);
    return QObject::tr("Read back and found to be the same tags.");
}

Result<QString> writeDag(const SplitOutcome& outcome, const QString& path)
{
    const std::vector<PartitionDagNode> dag = outcome.plan ? outcome.plan->dag : partitionDag(outcome.split.program);
    if (const Result<void> written = writeJsonChecked(path, partitionDagJson(dag)); !written)
        return forward(written);
    return QObject::tr("Read back and found to be what was written: %1.").arg(countText(dag.size(), "part"));
}

Result<QString> writeCost(const Program& source, const SplitOutcome& outcome, const QString& path)
{
    const CutMetrics metrics = cutMetrics(source, outcome.tags);
    if (const Result<void> written = writeJsonChecked(path, cutReportJson(source, metrics)); !written)
        return forward(written);
    return QObject::tr("Read back and found to be what was written: %1, %2 cross from part to part.")
        .arg(countText(metrics.parts.size(), "part"), bytesText(metrics.cutBytes));
}

Result<QString> writeNames(const SplitOutcome& outcome, const QString& path)
{
    if (const Result<void> written = writeJsonChecked(path, nameMapJson(outcome.split.fqnMap)); !written)
        return forward(written);
    if (outcome.split.fqnMap.empty())
        return QObject::tr("It is empty: this model reads no module or parameter by name. Its weights are inputs of the "
                           "parts and keep their names.");
    return QObject::tr("Read back and found to be what was written: %1.").arg(countText(outcome.split.fqnMap.size(), "name"));
}

Result<QString> writeRegions(const Snapshot& source, const RegionsOutcome& outcome, const QString& path)
{
    const RegionsFile regions = regionsByName(source.graph(), outcome.regions);
    if (const Result<void> written = writeJsonChecked(path, regionsJson(regions)); !written)
        return forward(written);
    return QObject::tr("Read back and found to be what was written: %1, %2 left out.")
        .arg(countText(regions.groups.size(), "group"), countText(regions.rejected.size(), "region"));
}

Result<QString> writePicture(const ExportRequest& request)
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
    return written ? Result<QString>(note) : Result<QString>(forward(written));
}

} // namespace sunder
