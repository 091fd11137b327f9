#include "canvas/picture_export.h"

#include "canvas/map_labels.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_painter.h"
#include "layout/picture/picture_pages.h"
#include "support/file.h"
#include "support/visible_text.h"

#include <QBuffer>
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
#include <memory>

namespace sunder {
namespace {

constexpr double kMostPixelsASide = 30'000;
constexpr double kMostPixels = 200e6;
/// PDF readers refuse pages over 200 inches.
constexpr double kMostPoints = 14'400;
/// A picture of no more points is one page of a PDF, a larger one has pages that a printer takes: A3 at their edges.
constexpr Size kLargeSheet{3370, 2384};
constexpr Size kPagePoints{1191, 842};
constexpr float kPageScale = 0.75F; ///< of these pages: the smallest text has 7 points

struct Sheet {
    const Picture& picture;
    const PictureStyle& style;
    const PictureExportOptions& options;
    Rect area; ///< of the scene, with the margin

    [[nodiscard]] QSizeF size() const { return QSizeF(area.width, area.height) * options.scale; }
};

/// Larger pictures have the detail of 100 % and lines that grow with them: vector formats keep the scale in the painter's
/// transform, pixels in their ratio, as on a fine screen. Smaller ones are drawn as when one zooms out.
void paintSheet(QPainter& painter, const Sheet& sheet, bool vector)
{
    const PictureTables tables(sheet.picture);
    const PictureLooks looks(sheet.picture, tables, sheet.style);
    const PictureIndex index(sheet.picture);
    if (vector)
        painter.scale(sheet.options.scale, sheet.options.scale);
    const double zoom = vector ? 1 : std::min(1.0, sheet.options.scale);
    const QRectF view(0, 0, sheet.area.width * zoom, sheet.area.height * zoom);
    const PaintContext context{.picture = sheet.picture,
                               .style = sheet.style,
                               .looks = looks,
                               .camera = Camera(QPointF(sheet.area.x, sheet.area.y), zoom),
                               .view = view,
                               .pixelRatio = vector ? 1 : std::max(1.0, sheet.options.scale),
                               .vector = vector,
                               .overlayScale = zoom};
    painter.setClipRect(view);
    if (!sheet.options.transparent)
        painter.fillRect(view, sheet.style.theme->canvas);
    paintPicture(painter, context, index);
    paintMapLabels(painter, context, placeMapLabels(context, tables.framesBySize()));
    paintBackwardCards(painter, context, placeBackwardCards(context));
    paintNotes(painter, context, placeNotes(context));
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

/// A painter. When an exception is under way it is given up and not ended: to end a picture takes memory, of which there
/// may be none, and a destructor may not throw.
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

template <typename Sheet>
Result<QByteArray> svgOf(const Sheet& sheet)
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
    paintSheet(*painter, sheet, true);
    if (!painter->end())
        return fail(ErrorCode::io, "The picture could not be written as SVG");
    // Names may hold what XML does not allow, and what turns round the text beside it.
    return QByteArray::fromStdString(
        visibleText(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), Lines::keep));
}

} // namespace

bool fitsIntoPng(Size pixels)
{
    const double width = std::ceil(pixels.width);
    const double height = std::ceil(pixels.height);
    return width <= kMostPixelsASide && height <= kMostPixelsASide && width * height <= kMostPixels;
}

namespace {

std::string number(double value)
{
    return QString::number(value, 'g', 3).toStdString();
}

template <typename Sheet>
Result<QByteArray> pngOf(const Sheet& sheet)
{
    const QSizeF size = sheet.size();
    const double width = std::ceil(size.width());
    const double height = std::ceil(size.height());
    if (!fitsIntoPng({static_cast<float>(width), static_cast<float>(height)})) {
        const double fits = std::min({kMostPixelsASide / sheet.area.width, kMostPixelsASide / sheet.area.height,
                                      std::sqrt(kMostPixels / sheet.area.width / sheet.area.height)});
        const double rounded = std::floor(fits * 1000) / 1000;
        return fail(ErrorCode::refused,
                    "The picture would have " + QString::number(width, 'f', 0).toStdString() + " × "
                        + QString::number(height, 'f', 0).toStdString() + " pixels, more than a PNG may have here; "
                        + "the largest scale that fits is " + number(rounded) + ", or write SVG");
    }
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return fail(ErrorCode::refused,
                    "There is not enough memory for a picture of " + QString::number(width, 'f', 0).toStdString() + " × "
                        + QString::number(height, 'f', 0).toStdString() + " pixels");
    image.fill(Qt::transparent);
    image.setDevicePixelRatio(std::max(1.0, sheet.options.scale));
    const Painting painter(&image);
    paintSheet(*painter, sheet, false);
    painter->end();
    if (!sheet.options.title.isEmpty())
        image.setText(QStringLiteral("Title"), sheet.options.title);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!image.save(&buffer, "PNG"))
        return fail(ErrorCode::io, "The picture could not be written as PNG");
    return bytes;
}

/// What is one page of a PDF each.
std::vector<Sheet> pagesOfSheet(const Sheet& sheet)
{
    std::vector<Sheet> pages{sheet};
    const QSizeF points = sheet.size();
    if (points.width() <= kLargeSheet.width && points.height() <= kLargeSheet.height)
        return pages;
    const float scale = static_cast<float>(sheet.options.scale) * kPageScale;
    const Size page{kPagePoints.width / scale, kPagePoints.height / scale};
    pages.clear();
    for (const PicturePage& part : pagesOf(sheet.picture, sheet.area, page))
        pages.push_back({sheet.picture, sheet.style, sheet.options, part.area});
    return pages;
}

std::vector<DrawingSheet> pagesOfSheet(const DrawingSheet& sheet)
{
    return {sheet};
}

constexpr int kDotsPerInch = 288;

/// The page has the size of the sheet, as far as readers take it. Returns dots per unit.
template <typename Sheet>
double setPage(QPdfWriter& writer, const Sheet& sheet, double most)
{
    const QSizeF points = sheet.size();
    const double shrink = std::min({most, kMostPoints / points.width(), kMostPoints / points.height()});
    writer.setPageLayout(QPageLayout(QPageSize(points * shrink, QPageSize::Point, QString(), QPageSize::ExactMatch),
                                     QPageLayout::Portrait, QMarginsF(0, 0, 0, 0)));
    return shrink * kDotsPerInch / 72.0;
}

template <typename Sheet>
Result<QByteArray> pdfOf(const Sheet& sheet)
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
    return bytes;
}

template <typename Sheet>
using Encoder = Result<QByteArray> (*)(const Sheet&);

template <typename Sheet>
Encoder<Sheet> encoderFor(const std::string& path)
{
    static constexpr std::array<std::pair<const char*, Encoder<Sheet>>, 3> kEncoders = {
        {{".svg", svgOf<Sheet>}, {".png", pngOf<Sheet>}, {".pdf", pdfOf<Sheet>}}};
    const QString suffix = QString::fromStdString(std::filesystem::path(path).extension().string()).toLower();
    for (const auto& [name, encoder] : kEncoders)
        if (suffix == QLatin1String(name))
            return encoder;
    return nullptr;
}

template <typename Sheet>
Result<void> write(const Sheet& sheet, const std::string& path)
{
    const PictureExportOptions& options = sheet.options;
    const Encoder<Sheet> encode = encoderFor<Sheet>(path);
    if (encode == nullptr)
        return fail(ErrorCode::usage, "A picture is written as .svg, .png or .pdf", {.file = path});
    if (!(options.scale >= 0.01 && options.scale <= 16))
        return fail(ErrorCode::usage, "The scale of a picture is between 0.01 and 16, not " + number(options.scale),
                    {.file = path});
    if (qGuiApp == nullptr)
        return fail(ErrorCode::refused, "Pictures need fonts, and no application was started to load them");
    if (!(sheet.area.width > 0 && sheet.area.height > 0))
        return fail(ErrorCode::refused, "There is nothing to draw", {.file = path});
    Result<QByteArray> bytes = encode(sheet);
    if (!bytes) {
        bytes.error().where.file = path;
        return forward(bytes);
    }
    return writeFileAtomically(path, std::string_view(bytes->constData(), static_cast<std::size_t>(bytes->size())));
}

} // namespace

Result<void> exportPicture(const Picture& picture, const PictureStyle& style, const std::string& path,
                           const PictureExportOptions& options)
{
    Rect whole{0, 0, picture.size.width, picture.size.height};
    if (const std::optional<Rect> notes = boundsOfNotes(picture, style))
        whole = united(whole, *notes);
    PictureStyle lasting = style;
    lasting.selected = lasting.found = lasting.counterparts = {};
    return write(Sheet{picture, lasting, options, grown(options.area.value_or(whole), options.margin)}, path);
}

Result<void> exportDrawing(const Drawing& drawing, const std::string& path, const PictureExportOptions& options)
{
    const Rect whole{0, 0, static_cast<float>(drawing.size.width()), static_cast<float>(drawing.size.height())};
    return write(DrawingSheet{drawing, options, grown(options.area.value_or(whole), options.margin)}, path);
}

} // namespace sunder
