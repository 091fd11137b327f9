#include "canvas/picture_export.h"
#include "canvas/picture_painter.h"
#include "canvas/picture_style.h"
#include "synthetic_picture.h"
#include "test_case.h"

#include <QImage>
#include <QPaintEngine>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <set>

using namespace sunder;

namespace {

/// Records only the size at which each text is painted, in device pixels.
class TextRecorder final : public QPaintEngine {
public:
    TextRecorder() : QPaintEngine(QPaintEngine::AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath&) override { ++shapes; }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { ++shapes; }
    void drawRects(const QRectF*, int count) override { shapes += count; }
    void drawLines(const QLineF*, int count) override { shapes += count; }
    void drawTextItem(const QPointF&, const QTextItem& item) override
    {
        sizes.push_back(item.font().pixelSize() * painter()->transform().m11());
    }
    [[nodiscard]] Type type() const override { return QPaintEngine::User; }

    std::vector<double> sizes;
    int shapes = 0;
};

class RecordingDevice final : public QPaintDevice {
public:
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine; }
    mutable TextRecorder engine;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
        case PdmHeight: return 4000;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return 96;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
        default: return 1;
        }
    }
};

void paintAt(QPaintDevice& device, const Picture& picture, const PictureStyle& style, double zoom)
{
    const PictureTables tables(picture);
    const PictureLooks looks(picture, tables, style);
    const PictureIndex index(picture);
    const PaintContext context{
        .picture = picture, .style = style, .looks = looks, .camera = Camera({}, zoom), .view = QRectF(0, 0, 4000, 4000)};
    QPainter painter(&device);
    paintPicture(painter, context, index);
    paintBackwardCards(painter, context, placeBackwardCards(context));
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class PicturePainterTest : public QObject {
    Q_OBJECT

private slots:
    void edgesPassBehindTheTitleOfAFrame()
    {
        test::Sketch sketch;
        const ItemId above = sketch.op({0, 0, 32, 30}, {}, "add", "add", "8");
        const ItemId frame = sketch.frame({4, 60, 300, 200}, "layers.0", "Layer", "1 op");
        const ItemId inside = sketch.op({0, 120, 32, 34}, frame, "relu", "relu", "8");
        sketch.edge(above, inside); // straight down through the folding triangle
        const Picture crossed = sketch.finish({320, 280});
        Picture free = crossed;
        free.edges.clear();
        const PictureStyle style = test::layerStyle(theme(false));
        const auto titleOf = [&](const Picture& picture) {
            QImage image(400, 300, QImage::Format_RGB32);
            image.fill(Qt::white);
            paintAt(image, picture, style, 1);
            return image.copy(12, 64, 60, 14);
        };
        QCOMPARE(titleOf(crossed), titleOf(free));
    }

    void textNeverShrinksBelow8Pixels()
    {
        const Picture picture = test::layerPicture();
        const PictureStyle style = test::layerStyle(theme(false));
        std::size_t textsBefore = 0;
        for (const double zoom : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.86, 0.95, 1.0, 1.5, 2.0, 4.0}) {
            RecordingDevice device;
            paintAt(device, picture, style, zoom);
            QVERIFY(device.engine.shapes > 0);
            for (const double size : device.engine.sizes)
                QVERIFY2(size >= 7.99, qPrintable(QStringLiteral("%1 px at %2").arg(size).arg(zoom)));
            QVERIFY2(device.engine.sizes.size() >= textsBefore || zoom > 1.0, "text comes with the zoom and does not go again");
            textsBefore = device.engine.sizes.size();
        }
        QVERIFY(textsBefore > 30);
    }

    void whatStandsForEdgesIsSeenAtEveryZoom_data()
    {
        QTest::addColumn<double>("zoom");
        QTest::newRow("marks") << 0.08;
        QTest::newRow("small boxes") << 0.25;
        QTest::newRow("titles") << 0.5;
        QTest::newRow("all texts") << 1.0;
    }
    /// Chips, drawn as dots if they are too small, and edges between columns.
    void whatStandsForEdgesIsSeenAtEveryZoom()
    {
        QFETCH(double, zoom);
        test::Sketch sketch;
        const ItemId first = sketch.op({0, 0, 120, 40}, {}, "add", "add", "8");
        const ItemId second = sketch.op({300, 0, 120, 40}, {}, "relu", "relu", "8");
        sketch.item(first).chips.push_back({.rect = {126, 12, 60, 16}, .text = "mask", .value = NodeId(1U)});
        sketch.edge(first, second);
        Picture picture = sketch.finish({420, 60});
        picture.edges.front().isCut = true;
        picture.edges.front().path = {{60, 40}, {60, 60}, {300, 60}, {360, 0}};
        const auto painted = [&](const Picture& what) {
            QImage image(440, 80, QImage::Format_RGB32);
            image.fill(Qt::white);
            paintAt(image, what, test::layerStyle(theme(false)), zoom);
            return image;
        };
        Picture withoutChips = picture;
        withoutChips.items[first.index()].chips.clear();
        QVERIFY(painted(picture) != painted(withoutChips));
        Picture withoutEdge = picture;
        withoutEdge.edges.clear();
        QVERIFY(painted(picture) != painted(withoutEdge));
    }

    void farOutAMarkOfTheTagsColorStays()
    {
        const Picture picture = test::layerPicture();
        const PictureStyle style = test::layerStyle(theme(false));
        QImage image(60, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        paintAt(image, picture, style, 0.08);
        // o_proj has tag 1; its box measures 12 x 2.7 pixels at this zoom.
        QCOMPARE(image.pixelColor(18, 37), style.tags[1].style.color);
    }

    /// The diamond and the frame are both red.
    void whatHidesABackwardEdgeHasARedDiamond()
    {
        const Picture picture = test::layerPicture();
        PictureStyle style = test::layerStyle(theme(false));
        style.backward.clear();
        style.marked = {};
        style.noted = {};
        const ItemId run(1U);
        const std::vector<NodeId>& nodes = picture.items[run.index()].nodes;
        const auto diamondColors = [&] { // in the right corner, inside the frame
            QImage image(1200, 1200, QImage::Format_RGB32);
            image.fill(Qt::white);
            paintAt(image, picture, style, 1);
            const Rect& at = picture.items[run.index()].rect;
            std::set<QRgb> colors;
            for (int x = qRound(at.x + at.width) - 60; x < qRound(at.x + at.width) - 4; ++x)
                for (int y = qRound(at.y) + 4; y < qRound(at.y) + 22; ++y)
                    colors.insert(image.pixel(x, y));
            return colors;
        };
        style.noted = NodeSet(std::array{nodes.front()});
        QVERIFY(diamondColors().contains(theme(false).warning.rgb()));
        style.backward.push_back({nodes.back(), nodes.front(), "S1 → S0 runs backward", "128 B"});
        QVERIFY(diamondColors().contains(theme(false).error.rgb()));
        QVERIFY(!diamondColors().contains(theme(false).warning.rgb()));
    }

    void stripDividesAnItemAmongItsTags()
    {
        const Picture picture = test::layerPicture();
        PictureStyle style = test::layerStyle(theme(false));
        const PictureTables tables(picture);
        const PictureLooks byOps(picture, tables, style);
        const std::span<const StripPart> run = byOps.strip(ItemId(1U));
        QCOMPARE(run.size(), std::size_t{2});
        QCOMPARE(run[0].tag, 0);
        QCOMPARE(run[0].share, 0.5F);
        style.nodeBytes.assign(25, 0);
        style.nodeBytes[1] = 300;
        style.nodeBytes[8] = 100;
        const PictureLooks byBytes(picture, tables, style);
        QVERIFY(byBytes.strip(ItemId(1U))[0].share > 0.7F);
        QVERIFY(byBytes[ItemId(10U)].tag == 1);
        QVERIFY(byBytes[ItemId(12U)].marked);
    }

    void backwardEdgeIsFoundAlongThePicture()
    {
        const Picture picture = test::layerPicture();
        const PictureTables tables(picture);
        const PictureStyle style = test::layerStyle(theme(false));
        const PictureLooks looks(picture, tables, style);
        QCOMPARE(looks.backward().size(), std::size_t{1});
        QVERIFY(looks.isBackward(9));
        QVERIFY(!looks.isBackward(0));
    }

    void exportsEveryFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("svg") << "picture.svg" << QByteArray("<?xml");
        QTest::newRow("png") << "picture.PNG" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "picture.pdf" << QByteArray("%PDF-");
    }
    void exportsEveryFormat()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, start);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        const Result<void> written = exportPicture(test::sceneOf(test::layerPicture()), test::layerStyle(theme(true)),
                                                   path.toStdString(), {.scale = 2});
        QVERIFY(written.has_value());
        const QByteArray bytes = contentsOf(path);
        QVERIFY(bytes.size() > 3000);
        QVERIFY(bytes.startsWith(start));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void pngHasTheAskedSize()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        const Picture picture = test::layerPicture();
        QVERIFY(exportPicture(test::sceneOf(picture), test::layerStyle(theme(false)), path.toStdString(),
                              {.scale = 1.5, .margin = 10}));
        QCOMPARE(QImage(path).size(), QSize(735, 1029));
    }

    void refusesWhatCannotBeWritten()
    {
        QTemporaryDir folder;
        const PictureStyle style = test::layerStyle(theme(false));
        const auto code = [&](const Picture& picture, const QString& name, double scale) {
            const Result<void> written = exportPicture(test::sceneOf(picture), style, folder.filePath(name).toStdString(),
                                                       {.scale = scale});
            return written ? -1 : static_cast<int>(written.error().code);
        };
        QCOMPARE(code(test::layerPicture(), "a.gif", 1), static_cast<int>(ErrorCode::usage));
        QCOMPARE(code(test::layerPicture(), "a.png", 0), static_cast<int>(ErrorCode::usage));
        QCOMPARE(code(test::ladderPicture(20000, 10), "a.png", 1), static_cast<int>(ErrorCode::refused));
        QCOMPARE(code(test::layerPicture(), "none/a.png", 1), static_cast<int>(ErrorCode::io));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 0);
    }

    void widthsAreThoseOfTheFonts()
    {
        const TextWidth width = pictureTextWidth();
        QVERIFY(width("linear", TextRole::title) > 20);
        QVERIFY(width("linear", TextRole::title) < 60);
        QCOMPARE(width("iiii", TextRole::mono), width("mmmm", TextRole::mono));
        QCOMPARE(width("mask", TextRole::chip), width("mask", TextRole::mono)); // both become readable at the same zoom
    }
};

const test::Registered<PicturePainterTest> picturePainterTest("picture_painter_test");
#include "picture_painter_test.moc"
