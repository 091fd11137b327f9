#include "canvas/picture_files.h"

#include "synthetic_picture.h"
#include "test_case.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace sunder;

namespace {

/// Counts the page objects of a PDF.
qsizetype pagesIn(QFile& file)
{
    const QByteArray bytes = file.readAll();
    return bytes.count("/Type /Page") - bytes.count("/Type /Pages");
}

} // namespace

class PictureFilesTest final : public QObject {
    Q_OBJECT
    int pieces = 0;

private slots:
    void whatFitsIsOneFile()
    {
        const PictureFiles files = filesOfPicture(test::layerPicture(), "a/b.png", {.scale = 2});
        QCOMPARE(files.parts.size(), std::size_t{1});
        QCOMPARE(files.parts.front().path, std::string("a/b.png"));
        QCOMPARE(files.parts.front().options.scale, 2.0);
        QVERIFY(files.indexPath.empty());
    }

    void anSvgNeedsNoTiles() { QCOMPARE(filesOfPicture(test::ladderPicture(20000, 10), "b.svg").parts.size(), std::size_t{1}); }

    void aLargePngHasTilesAndAPageThatShowsThem()
    {
        QTemporaryDir folder;
        const Picture picture = test::ladderPicture(20000, 10);
        const std::string path = folder.filePath("big <1>.png").toStdString();
        const PictureFiles files = filesOfPicture(picture, path, {.scale = 1});
        QVERIFY(files.parts.size() > 10);
        QCOMPARE(files.parts[1].path, folder.filePath("big <1>-1-1.png").toStdString());
        QCOMPARE(files.indexPath, folder.filePath("big <1>.html").toStdString());
        const QString html = QString::fromStdString(files.indexHtml);
        QCOMPARE(html.count("<img "), static_cast<qsizetype>(files.parts.size() - 1));
        QVERIFY(html.contains("src=\"big &lt;1&gt;-1-1.png\""));
        QVERIFY(!html.contains("big <1>"));
        for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
            const Result<void> written = exportPicture(test::sceneOf(picture), test::layerStyle(theme(false)),
                                                       files.parts[part].path, files.parts[part].options);
            QVERIFY2(written, written ? "" : written.error().message.c_str());
            const QImage image(QString::fromStdString(files.parts[part].path));
            QVERIFY(image.width() <= 6200 && image.height() <= 6200 && !image.isNull());
        }
    }

    void tilesCoverThePictureOnce()
    {
        const Picture picture = test::ladderPicture(20000, 10);
        const PictureFiles files = filesOfPicture(picture, "big.png", {.scale = 1, .margin = 0});
        double area = 0;
        for (std::size_t i = 1; i < files.parts.size(); ++i)
            area += static_cast<double>(files.parts[i].options.area->width) * files.parts[i].options.area->height;
        const double whole = static_cast<double>(picture.size.width) * picture.size.height;
        QVERIFY(std::abs(area / whole - 1) < 1e-3);
    }

    void thereAreNeverMoreTilesThanALook()
    {
        Picture picture = test::ladderPicture(20000, 10);
        picture.size = {400'000, 400'000};
        const PictureFiles files = filesOfPicture(picture, "big.png", {.scale = 1, .margin = 0});
        QVERIFY(files.parts.size() - 1 <= 256);
        QVERIFY(files.parts.size() - 1 > 100);
        QVERIFY(files.tileScale < 0.3 && files.tileScale > 0.05);
        QCOMPARE(files.parts[1].options.scale, files.tileScale);
    }

    /// Qt would hold a large SVG in memory until it is finished.
    void aLargeSvgIsWrittenInPiecesThatMakeOneFile()
    {
        QTemporaryDir folder;
        const auto svgOf = [&](std::uint32_t items) {
            const QString path = folder.filePath("a.svg");
            const Picture picture = test::ladderPicture(items, 10);
            class Steps final : public ProgressMonitor {
            public:
                explicit Steps(int& count) : m_count(count) {}
                void report(double, std::string_view) override { ++m_count; }
                [[nodiscard]] bool isCancelled() const override { return false; }

            private:
                int& m_count;
            } monitor(pieces);
            pieces = 0;
            const Result<void> written = exportPicture(test::sceneOf(picture), test::layerStyle(theme(false)), path.toStdString(),
                                                       {}, monitor);
            QFile file(path);
            return written && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray small = svgOf(2'000);
        QCOMPARE(pieces, 1);
        const QByteArray large = svgOf(50'000);
        QVERIFY(pieces > 5);
        QCOMPARE(large.count("</svg>"), 1);
        QCOMPARE(large.count("<svg "), 1);
        QXmlStreamReader reader(large);
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        // As many texts per item as in the small one.
        const auto perItem = [](const QByteArray& svg, double items) { return static_cast<double>(svg.count("<text")) / items; };
        QVERIFY(std::abs(perItem(large, 50'000) - perItem(small, 2'000)) < 0.1);
    }

    void aLargePdfHasPages()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.pdf");
        QVERIFY(exportPicture(test::sceneOf(test::ladderPicture(3000, 10)), test::layerStyle(theme(false)), path.toStdString()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(pagesIn(file) > 3);
        const QString small = folder.filePath("b.pdf");
        QVERIFY(exportPicture(test::sceneOf(test::layerPicture()), test::layerStyle(theme(false)), small.toStdString()));
        QFile one(small);
        QVERIFY(one.open(QIODevice::ReadOnly));
        QCOMPARE(pagesIn(one), 1);
    }

    void whatIsSelectedIsNotShown()
    {
        QTemporaryDir folder;
        PictureStyle style = test::layerStyle(theme(false));
        QVERIFY(exportPicture(test::sceneOf(test::layerPicture()), style, folder.filePath("a.svg").toStdString()));
        std::vector<NodeId> nodes;
        for (const Item& item : test::layerPicture().items)
            nodes.insert(nodes.end(), item.nodes.begin(), item.nodes.end());
        style.selected = style.found = style.counterparts = NodeSet(nodes);
        QVERIFY(exportPicture(test::sceneOf(test::layerPicture()), style, folder.filePath("b.svg").toStdString()));
        QFile plain(folder.filePath("a.svg"));
        QFile selected(folder.filePath("b.svg"));
        QVERIFY(plain.open(QIODevice::ReadOnly) && selected.open(QIODevice::ReadOnly));
        QCOMPARE(selected.readAll(), plain.readAll());
    }
};

const test::Registered<PictureFilesTest> pictureFilesTest("picture_files_test");
#include "picture_files_test.moc"
