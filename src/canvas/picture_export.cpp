#include "canvas/picture_export.h"

#include "canvas/map_labels.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_painter.h"
#include "layout/picture/picture_pages.h"
#include "support/file.h"
#include "support/text.h"

#include <QBuffer>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>

namespace sunder {
namespace {

constexpr double kMaxPixelsASide = 30'000;
constexpr double kMaxPixels = 200e6;
/// PDF readers reject pages over 200 inches.
constexpr double kMaxPoints = 14'400;
/// A picture up to kLargeSheet points is a single PDF page; larger ones get printable pages (A3, to the edges).
constexpr Size kLargeSheet{3370, 2384};
constexpr Size kPagePoints{1191, 842};
constexpr std::size_t kItemsOfPiece = 20'000; ///< per piece of a large SVG
constexpr float kPageScale = 0.75F; ///< scale of printable pages: the smallest text has 7 points

struct Sheet {
    const ScenePicture& scene;
    const PictureStyle& style;
    const PictureLooks& looks;
    const PictureExportOptions& options;
    Rect area; ///< of the scene, including the margin
    std::optional<Rect> legend = {}; ///< place of the scale of costs in the scene

    [[nodiscard]] QSizeF size() const { return QSizeF(area.width, area.height) * options.scale; }
};

/// Above 100%, pictures have the detail of 100% with scaled lines: vector formats apply the scale as the painter's transform,
/// pixel formats as the device pixel ratio, as on a high-resolution screen. Below 100%, they are drawn as at a smaller zoom.
PaintContext contextOf(const Sheet& sheet, bool vector)
{
    const double zoom = vector ? 1 : std::min(1.0, sheet.options.scale);
    return {.picture = *sheet.scene.picture,
            .style = sheet.style,
            .looks = sheet.looks,
            .camera = Camera(QPointF(sheet.area.x, sheet.area.y), zoom),
            .view = QRectF(0, 0, sheet.area.width * zoom, sheet.area.height * zoom),
            .pixelRatio = vector ? 1 : std::max(1.0, sheet.options.scale),
            .vector = vector,
            .overlayScale = zoom};
}

void paintGround(QPainter& painter, const Sheet& sheet, const PaintContext& context)
{
    if (context.vector)
        painter.scale(sheet.options.scale, sheet.options.scale);
    painter.setClipRect(context.view);
}

/// Returns the place of the scale of costs below the picture; nothing if the style has none.
std::optional<Rect> legendBelow(const Rect& picture, const PictureStyle& style)
{
    constexpr float kLegendHeight = 24;
    constexpr float kLegendRoom = 560; ///< of all its texts
    if (!style.costs)
        return std::nullopt;
    return Rect{picture.x, picture.bottom() + kLegendHeight / 2, std::max(picture.width, kLegendRoom), kLegendHeight};
}

void paintLegend(QPainter& painter, const Sheet& sheet, const PaintContext& context)
{
    constexpr double kLegendPixels = 11;
    if (!sheet.legend)
        return;
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(kLegendPixels * context.overlayScale))));
    paintCostLegend(painter, context.camera.toView(*sheet.legend), *sheet.style.costs, context.theme(), font);
}

/// Returns the paint pieces in order: background, picture, overlays.
std::vector<PaintPiece> piecesOf(const Sheet& sheet, const PaintContext& context, std::size_t most)
{
    std::vector<PaintPiece> pieces = paintPieces(context, sheet.scene.index, most);
    if (!sheet.options.transparent)
        pieces.insert(pieces.begin(), [&context](QPainter& painter) { painter.fillRect(context.view, context.theme().canvas); });
    pieces.emplace_back([&](QPainter& painter) {
        paintMapLabels(painter, context, placeMapLabels(context, sheet.scene.tables.framesBySize()));
        paintBackwardCards(painter, context, placeBackwardCards(context));
        paintNotes(painter, context, placeNotes(context));
        paintLegend(painter, sheet, context);
    });
    return pieces;
}

void paintSheet(QPainter& painter, const Sheet& sheet, bool vector)
{
    const PaintContext context = contextOf(sheet, vector);
    paintGround(painter, sheet, context);
    for (const PaintPiece& piece : piecesOf(sheet, context, std::numeric_limits<std::size_t>::max()))
        piece(painter);
}

/// The same for a Drawing.
struct DrawingSheet {
    const Drawing& drawing;
    const PictureExportOptions& options;
    Rect area;

    [[nodiscard]] QSizeF size() const { return QSizeF(area.width, area.height) * options.scale; }
};

void paintSheet(QPainter& painter, const DrawingSheet& sheet, bool)
{
    const double scale = sheet.options.scale / painter.device()->devicePixelRatio();
    painter.scale(scale, scale);
    const QRectF view(0, 0, sheet.area.width, sheet.area.height);
    painter.setClipRect(view);
    if (!sheet.options.transparent)
        painter.fillRect(view, sheet.drawing.background);
    painter.translate(-sheet.area.x, -sheet.area.y);
    sheet.drawing.paint(painter);
}

/// A painter that is abandoned instead of ended during an exception: ending a picture allocates memory, which may be exhausted,
/// and a destructor must not throw.
class Painting {
public:
    explicit Painting(QPaintDevice* device) : m_painter(std::make_unique<QPainter>(device)) {}
    ~Painting()
    {
        if (std::uncaught_exceptions() > m_exceptions)
            (void)m_painter.release();
    }
    Painting(const Painting&) = delete;
    Painting& operator=(const Painting&) = delete;
    QPainter* operator->() const { return m_painter.get(); }
    QPainter& operator*() const { return *m_painter; }

private:
    std::unique_ptr<QPainter> m_painter;
    int m_exceptions = std::uncaught_exceptions();
};

/// Returns the SVG text from Qt. Names can contain characters that XML forbids, or direction marks that reorder adjacent text;
/// these are replaced.
template <typename Sheet>
Result<std::string> svgOf(const Sheet& sheet, const std::function<void(QPainter&)>& paint)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(sheet.size().toSize());
    generator.setViewBox(QRectF(QPointF(), sheet.size()));
    generator.setTitle(sheet.options.title);
    generator.setDescription(QStringLiteral("Drawn by Sunder"));
    const Painting painter(&generator);
    paint(*painter);
    if (!painter->end())
        return fail(ErrorCode::io, "The picture could not be written as SVG");
    return visibleText(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), Lines::keep);
}

Result<void> writeSvg(const DrawingSheet& sheet, std::ostream& out, ProgressMonitor&)
{
    SUNDER_TRY(const std::string svg, svgOf(sheet, [&](QPainter& painter) { paintSheet(painter, sheet, true); }));
    out << svg;
    return {};
}

/// Qt keeps a whole SVG in memory, about 8 kB per item. A large one is therefore painted in pieces, each as a separate SVG; the
/// file contains their bodies.
Result<void> writeSvg(const Sheet& sheet, std::ostream& out, ProgressMonitor& monitor)
{
    constexpr std::string_view kBody = "</defs>\n";
    constexpr std::string_view kEnd = "</svg>";
    const PaintContext context = contextOf(sheet, true);
    const std::vector<PaintPiece> all = piecesOf(sheet, context, kItemsOfPiece);
    const std::size_t most = sheet.scene.picture->items.size() > kItemsOfPiece ? 1 : all.size();
    for (std::size_t begin = 0; begin < all.size(); begin += most) {
        SUNDER_PROPAGATE(monitor.check());
        monitor.report(static_cast<double>(begin) / static_cast<double>(all.size()), "Painting");
        SUNDER_TRY(const std::string svg, svgOf(sheet, [&](QPainter& painter) {
                       paintGround(painter, sheet, context);
                       for (std::size_t i = begin; i < begin + most; ++i)
                           all[i](painter);
                   }));
        const std::size_t body = svg.find(kBody);
        const std::size_t end = svg.rfind(kEnd);
        if (body == std::string::npos || end == std::string::npos)
            return fail(ErrorCode::io, "Qt wrote an SVG without a body");
        const std::size_t from = begin == 0 ? 0 : body + kBody.size();
        const std::size_t to = begin + most == all.size() ? svg.size() : end;
        out << std::string_view(svg).substr(from, to - from);
    }
    return {};
}

} // namespace

bool fitsIntoPng(Size pixels)
{
    const double width = std::ceil(pixels.width);
    const double height = std::ceil(pixels.height);
    return width <= kMaxPixelsASide && height <= kMaxPixelsASide && width * height <= kMaxPixels;
}

namespace {

std::string number(double value)
{
    return QString::number(value, 'g', 3).toStdString();
}

template <typename Sheet>
Result<QImage> imageOf(const Sheet& sheet)
{
    const QSizeF size = sheet.size();
    const double width = std::ceil(size.width());
    const double height = std::ceil(size.height());
    if (!fitsIntoPng({static_cast<float>(width), static_cast<float>(height)})) {
        const double fits = std::min({kMaxPixelsASide / sheet.area.width, kMaxPixelsASide / sheet.area.height,
                                      std::sqrt(kMaxPixels / sheet.area.width / sheet.area.height)});
        const double rounded = std::floor(fits * 1000) / 1000;
        return fail(ErrorCode::refused,
                    "The picture would have " + QString::number(width, 'f', 0).toStdString() + " × "
                        + QString::number(height, 'f', 0).toStdString() + " pixels, which exceeds the PNG limit; "
                        + "use a scale of at most " + number(rounded) + ", or write SVG");
    }
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return fail(ErrorCode::refused,
                    "Not enough memory for a picture of " + QString::number(width, 'f', 0).toStdString() + " × "
                        + QString::number(height, 'f', 0).toStdString() + " pixels");
    image.fill(Qt::transparent);
    image.setDevicePixelRatio(std::max(1.0, sheet.options.scale));
    const Painting painter(&image);
    paintSheet(*painter, sheet, false);
    painter->end();
    return image;
}

template <typename Sheet>
Result<void> writePng(const Sheet& sheet, std::ostream& out, ProgressMonitor&)
{
    SUNDER_TRY(QImage image, imageOf(sheet));
    if (!sheet.options.title.isEmpty())
        image.setText(QStringLiteral("Title"), sheet.options.title);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!image.save(&buffer, "PNG"))
        return fail(ErrorCode::io, "The picture could not be written as PNG");
    out.write(bytes.constData(), bytes.size());
    return {};
}

/// Returns the areas of the PDF pages.
std::vector<Sheet> pagesOfSheet(const Sheet& sheet)
{
    std::vector<Sheet> pages{sheet};
    const QSizeF points = sheet.size();
    if (points.width() <= kLargeSheet.width && points.height() <= kLargeSheet.height)
        return pages;
    const float scale = static_cast<float>(sheet.options.scale) * kPageScale;
    const Size page{kPagePoints.width / scale, kPagePoints.height / scale};
    pages.clear();
    for (const PicturePage& part : pagesOf(*sheet.scene.picture, sheet.area, page))
        pages.push_back({sheet.scene, sheet.style, sheet.looks, sheet.options, part.area, sheet.legend});
    return pages;
}

std::vector<DrawingSheet> pagesOfSheet(const DrawingSheet& sheet)
{
    return {sheet};
}

constexpr int kDotsPerInch = 288;

/// Sets the page to the size of the sheet, limited to what readers accept. Returns dots per unit.
template <typename Sheet>
double setPage(QPdfWriter& writer, const Sheet& sheet, double most)
{
    const QSizeF points = sheet.size();
    const double shrink = std::min({most, kMaxPoints / points.width(), kMaxPoints / points.height()});
    writer.setPageLayout(QPageLayout(QPageSize(points * shrink, QPageSize::Point, QString(), QPageSize::ExactMatch),
                                     QPageLayout::Portrait, QMarginsF(0, 0, 0, 0)));
    return shrink * kDotsPerInch / 72.0;
}

template <typename Sheet>
Result<void> writePdf(const Sheet& sheet, std::ostream& out, ProgressMonitor& monitor)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    writer.setTitle(sheet.options.title);
    writer.setCreator(QStringLiteral("Sunder"));
    const auto pages = pagesOfSheet(sheet);
    const double most = pages.size() > 1 ? kPageScale : 1;
    double scale = setPage(writer, pages.front(), most);
    const Painting painter(&writer);
    for (std::size_t page = 0; page < pages.size(); ++page) {
        SUNDER_PROPAGATE(monitor.check());
        monitor.report(static_cast<double>(page) / static_cast<double>(pages.size()), "Painting");
        if (page > 0) {
            scale = setPage(writer, pages[page], most);
            writer.newPage();
        }
        painter->save();
        painter->scale(scale, scale);
        paintSheet(*painter, pages[page], true);
        painter->restore();
    }
    if (!painter->end())
        return fail(ErrorCode::io, "The picture could not be written as PDF");
    out.write(bytes.constData(), bytes.size());
    return {};
}

template <typename Sheet>
using Encoder = Result<void> (*)(const Sheet&, std::ostream&, ProgressMonitor&);

template <typename Sheet>
Encoder<Sheet> encoderFor(const std::string& path)
{
    static constexpr std::array<std::pair<const char*, Encoder<Sheet>>, 3> kEncoders = {
        {{".svg", writeSvg}, {".png", writePng<Sheet>}, {".pdf", writePdf<Sheet>}}};
    const QString suffix = QString::fromStdString(std::filesystem::path(path).extension().string()).toLower();
    for (const auto& [name, encoder] : kEncoders)
        if (suffix == QLatin1String(name))
            return encoder;
    return nullptr;
}

template <typename Sheet>
Result<void> write(const Sheet& sheet, const std::string& path, ProgressMonitor& monitor)
{
    const PictureExportOptions& options = sheet.options;
    const Encoder<Sheet> encode = encoderFor<Sheet>(path);
    if (encode == nullptr)
        return fail(ErrorCode::usage, "The name of a picture must end in .svg, .png, or .pdf", {.file = path});
    if (!(options.scale >= 0.01 && options.scale <= 16))
        return fail(ErrorCode::usage, "The scale of a picture is between 0.01 and 16, not " + number(options.scale),
                    {.file = path});
    if (qGuiApp == nullptr)
        return fail(ErrorCode::refused, "Pictures need fonts, and no application was started to load them");
    if (!(sheet.area.width > 0 && sheet.area.height > 0))
        return fail(ErrorCode::refused, "There is nothing to draw", {.file = path});
    return writeFileAtomically(path, [&](std::ostream& out) {
        Result<void> encoded = encode(sheet, out, monitor);
        if (!encoded)
            encoded.error().where.file = path;
        return encoded;
    });
}

} // namespace

Result<void> exportPicture(const ScenePicture& scene, const PictureStyle& style, const std::string& path,
                           const PictureExportOptions& options, ProgressMonitor& monitor)
{
    Rect whole{0, 0, scene.picture->size.width, scene.picture->size.height};
    if (const std::optional<Rect> notes = boundsOfNotes(*scene.picture, style))
        whole = united(whole, *notes);
    PictureStyle lasting = style;
    lasting.selected = lasting.found = lasting.counterparts = {};
    const PictureLooks looks(*scene.picture, scene.tables, lasting);
    const std::optional<Rect> legend = options.area ? std::nullopt : legendBelow(whole, lasting);
    if (legend)
        whole = united(whole, *legend);
    return write(Sheet{scene, lasting, looks, options, grown(options.area.value_or(whole), options.margin), legend}, path,
                 monitor);
}

Result<void> exportDrawing(const Drawing& drawing, const std::string& path, const PictureExportOptions& options)
{
    const Rect whole{0, 0, static_cast<float>(drawing.size.width()), static_cast<float>(drawing.size.height())};
    return write(DrawingSheet{drawing, options, grown(options.area.value_or(whole), options.margin)}, path,
                 ProgressMonitor::none());
}

Result<QImage> pictureImage(const ScenePicture& scene, const PictureStyle& style, const PictureExportOptions& options)
{
    const Rect whole{0, 0, scene.picture->size.width, scene.picture->size.height};
    const PictureLooks looks(*scene.picture, scene.tables, style);
    return imageOf(Sheet{scene, style, looks, options, grown(options.area.value_or(whole), options.margin)});
}

Result<QImage> drawingImage(const Drawing& drawing, const PictureExportOptions& options)
{
    const Rect whole{0, 0, static_cast<float>(drawing.size.width()), static_cast<float>(drawing.size.height())};
    return imageOf(DrawingSheet{drawing, options, grown(options.area.value_or(whole), options.margin)});
}

} // namespace sunder
