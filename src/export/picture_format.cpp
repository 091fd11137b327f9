#include "canvas/picture_files.h"
#include "canvas/web_page.h"
#include "export/checked_file.h"
#include "export/export_format.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/progress_monitor.h"
#include "text/amounts.h"

#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QXmlStreamReader>

#include <algorithm>

namespace sunder {
namespace {

/// Checks that a picture can be opened. Returns its size as text.
Result<QString> checkPicture(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::io, "cannot read the written picture: " + file.errorString().toStdString());
    const QString bytes = bytesText(static_cast<std::uint64_t>(file.size()));
    if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        QImageReader reader(&file, "png");
        const QSize size = reader.size();
        if (!reader.canRead() || size.isEmpty())
            return fail(ErrorCode::io, "the written picture is invalid: " + reader.errorString().toStdString());
        return tr("File read back and checked: %1 × %2 pixels, %3.").arg(size.width()).arg(size.height()).arg(bytes);
    }
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QXmlStreamReader reader(&file);
        qsizetype elements = 0;
        while (!reader.atEnd())
            elements += reader.readNext() == QXmlStreamReader::StartElement ? 1 : 0;
        if (reader.hasError() || elements == 0)
            return fail(ErrorCode::io, "the written picture is invalid: " + reader.errorString().toStdString());
        return tr("File read back and checked: %1, %2.").arg(countText(static_cast<std::size_t>(elements), "element"), bytes);
    }
    const bool begins = file.read(5) == "%PDF-";
    file.seek(std::max<qint64>(0, file.size() - 32));
    if (!begins || !file.readAll().contains("%%EOF"))
        return fail(ErrorCode::io, "the written picture is not a complete PDF");
    return tr("File read back and checked: PDF, %1.").arg(bytes);
}

Result<ExportedFiles> writeDrawing(const ExportRequest& request)
{
    QString note;
    const auto write = [&](const QString& path) {
        return exportDrawing(*request.drawing, path.toStdString(), request.pictureOptions);
    };
    const auto check = [&](const QString& path) -> Result<void> {
        SUNDER_TRY(note, checkPicture(path));
        return {};
    };
    SUNDER_PROPAGATE(writeChecked(request.path, write, check));
    return oneFile(request, note);
}

constexpr auto kPageSuffix = QLatin1String(".html");

bool isPage(const ExportRequest& request)
{
    return request.path.endsWith(kPageSuffix, Qt::CaseInsensitive);
}

/// Checks that the data of a page can be read. Returns its size as text.
Result<QString> checkPage(const QString& path)
{
    constexpr std::uint64_t kMaxPage = std::uint64_t{1} << 32U;
    constexpr unsigned kMaxNesting = 16;
    SUNDER_TRY(const std::string page, readFile(path.toStdString(), kMaxPage));
    static constexpr std::string_view kBegin = "id=\"data\">";
    const std::size_t begin = page.find(kBegin);
    const std::size_t end = page.find("</script>", begin);
    if (begin == std::string::npos || end == std::string::npos)
        return fail(ErrorCode::io, "the written page has no data");
    JsonTape data;
    SUNDER_PROPAGATE(data.parse(std::string_view(page).substr(begin + kBegin.size(), end - begin - kBegin.size()), kMaxNesting));
    return tr("File read back and checked: web page, %1.").arg(bytesText(page.size()));
}

/// Returns the costs in tooltips of a page: those that color the picture, and those that can be counted.
Result<std::vector<CostFiguresPtr>> costsOf(const ExportRequest& request, ProgressMonitor& monitor)
{
    const Program& program = *request.pictureRequest.program;
    std::vector<CostFiguresPtr> figures;
    if (request.style.costs)
        figures.push_back(request.style.costs->figures);
    if (request.pictureRequest.graph != program.root)
        return figures;
    SUNDER_TRY(const ProgramCosts costs, programCosts(program, monitor));
    for (CostFigures counted : {flopFigures(program, costs), byteFigures(program, costs)})
        if (figures.empty() || figures.front()->unit != counted.unit)
            figures.push_back(std::make_shared<const CostFigures>(std::move(counted)));
    return figures;
}

/// Writes a web page whose modules open and close.
Result<ExportedFiles> writePage(const ExportRequest& request, ProgressMonitor& monitor)
{
    const PictureRequest& shown = request.pictureRequest;
    const Program& program = *shown.program;
    SubProgress layout(monitor, 0, 0.8);
    SubProgress writing(monitor, 0.8, 1);
    SUNDER_TRY(const std::vector<CostFiguresPtr> costs, costsOf(request, monitor));
    const std::unique_ptr<LayoutEngine> engine = makeAutomaticEngine(nullptr);
    SUNDER_TRY(const PictureBodies bodies, bodiesOf(shown, request.picture, *engine, layout));
    const bool isSource = request.source && &request.source->program == shown.program.get() && shown.graph == program.root;
    const bool hasCut = isSource && std::ranges::any_of(request.tags.tags.tagOf, [](std::int32_t tag) { return tag >= 0; });
    SUNDER_TRY(const std::string page,
               webPage({.title = request.pictureOptions.title,
                        .program = program,
                        .graph = program.graph(shown.graph),
                        .bodies = bodies,
                        .style = request.style,
                        .groups = QStringLiteral("Tags"),
                        .costs = costs,
                        .cut = hasCut ? &request.tags.tags : nullptr},
                       *engine, writing));
    QString note;
    SUNDER_PROPAGATE(writeChecked(
        request.path, [&](const QString& at) { return writeFileAtomically(at.toStdString(), page); },
        [&](const QString& at) -> Result<void> {
            SUNDER_TRY(note, checkPage(at));
            return {};
        }));
    return oneFile(request, note);
}

/// Writes one file, or the tiles of a PNG with a page that shows them.
Result<ExportedFiles> writePicture(const ExportRequest& request, ProgressMonitor& monitor)
{
    if (request.drawing)
        return writeDrawing(request);
    if (isPage(request))
        return writePage(request, monitor);
    const PictureFiles planned = filesOfPicture(*request.picture, request.path.toStdString(), request.pictureOptions);
    const ScenePicture scene(request.picture); // shared by all tiles
    QStringList notes;
    std::vector<CheckedFile> files;
    files.reserve(planned.parts.size() + 1);
    for (const PictureFiles::Part& part : planned.parts)
        files.push_back({QString::fromStdString(part.path),
                         [&, count = static_cast<double>(planned.parts.size())](const QString& at) -> Result<void> {
                             SUNDER_PROPAGATE(monitor.check());
                             const auto done = static_cast<double>(notes.size());
                             SubProgress section(monitor, done / count, (done + 1) / count);
                             section.report(0, "Painting");
                             return exportPicture(scene, request.style, at.toStdString(), part.options, section);
                         },
                         [&](const QString& at) -> Result<void> {
                             SUNDER_TRY(const QString checked, checkPicture(at));
                             notes << checked;
                             return {};
                         }});
    if (!planned.indexPath.empty())
        files.push_back({QString::fromStdString(planned.indexPath),
                         [&](const QString& at) { return writeFileAtomically(at.toStdString(), planned.indexHtml); },
                         [](const QString&) { return Result<void>(); }});
    SUNDER_PROPAGATE(writeChecked(files));
    ExportedFiles exported{QFileInfo(request.path).absolutePath(), {}, notes.front()};
    for (const CheckedFile& file : files)
        exported.files << QFileInfo(file.path).absoluteFilePath();
    if (!planned.indexPath.empty())
        exported.note =
            tr("At this scale, the picture is too large for one PNG. A smaller one was written, with %1 at full scale, which %2 "
               "shows. All files were read back and checked.")
                .arg(countText(planned.parts.size() - 1, "tile"), QFileInfo(files.back().path).fileName());
    return exported;
}

QString refusalOfPicture(const ExportRequest& request)
{
    if (isPage(request) && (request.drawing || !request.pictureRequest.program))
        return tr("Only a graph can be exported as a web page.");
    const bool isThere = request.drawing || (request.picture && !request.picture->items.empty());
    return isThere ? QString() : tr("The graph is still being drawn.");
}

} // namespace

ExportFormat pictureFormat()
{
    return {.id = QStringLiteral("picture"),
            .icon = QStringLiteral("picture"),
            .title = tr("Picture"),
            .what = tr("A graph as currently drawn, in its current colors."),
            .ending = QStringLiteral(".svg"),
            .filter = tr("Pictures (*.svg *.png *.pdf *.html)"),
            .asking = ExportAsking::picture,
            .variants = {{tr("SVG, sharp at any size"), QStringLiteral(".svg")},
                         {tr("PNG, pixels"), QStringLiteral(".png")},
                         {tr("PDF, on several pages if large"), QStringLiteral(".pdf")},
                         {tr("Web page, modules open and close"), QStringLiteral(".html")}},
            .refusal = refusalOfPicture,
            .write = writePicture};
}

} // namespace sunder
