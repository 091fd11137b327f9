#include "io/model_file.h"

#include "layout_graphs.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QDirIterator>
#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Rectangles of the texts in a frame's title as drawn.
std::vector<Rect> titleTexts(const Item& frame)
{
    const float title = estimateTextWidth(frame.title, TextRole::title);
    const float subtitle = estimateTextWidth(frame.subtitle, TextRole::mono);
    const float detail = estimateTextWidth(frame.detail, TextRole::mono);
    const float y = frame.rect.y + 2;
    return {{frame.rect.x + 7, y, 21 + title + 8 + subtitle, 18}, {frame.rect.right() - 10 - detail, y, detail, 18}};
}

/// Lists edges that pass behind a frame's title.
QString edgesBehindTitles(const Picture& picture)
{
    std::vector<std::pair<Rect, const Item*>> texts;
    for (const Item& item : picture.items) {
        if (item.kind == ItemKind::frame) {
            for (const Rect& text : titleTexts(item))
                texts.emplace_back(text, &item);
        }
    }
    QString faults;
    for (const PictureEdge& edge : picture.edges) {
        for (std::size_t i = 0; i + 3 < edge.path.size(); i += 3) {
            const Point* curve = &edge.path[i];
            const auto [top, bottom] = std::minmax({curve[0].y, curve[1].y, curve[2].y, curve[3].y});
            for (const auto& [text, frame] : texts) {
                if (text.bottom() < top || text.y > bottom || text.width <= 0)
                    continue;
                bool isBehind = false;
                for (int step = 0; step <= 64 && !isBehind; ++step)
                    isBehind = text.contains(pointOn(curve, float(step) / 64));
                if (isBehind && faults.size() < 1000)
                    faults += QString::fromStdString(picture.items[edge.from.index()].title + " > "
                                                     + picture.items[edge.to.index()].title + " runs behind the title of "
                                                     + frame->title + "\n");
            }
        }
    }
    return faults;
}

QStringList sampleFiles()
{
    QStringList folders = {QStringLiteral(SUNDER_SOURCE "/resources/samples")};
    if (!sharedFolder().empty())
        folders << QString::fromStdString(sharedFolder()) + "/samples/models";
    QStringList files;
    for (const QString& folder : folders) {
        QDirIterator found(folder, {QStringLiteral("*.pt2")}, QDir::Files);
        while (found.hasNext())
            files << found.next();
    }
    return files;
}

} // namespace

class FrameTitlesTest final : public QObject {
    Q_OBJECT
private slots:
    void noEdgeRunsBehindATitle()
    {
        const QStringList files = sampleFiles();
        QVERIFY(files.size() >= 3);
        for (const QString& file : files) {
            const Result<Program> program = readModel(file.toStdString());
            QVERIFY2(program.has_value(), qPrintable(file));
            const Picture all = pictureOf(*program, {.openAll = true});
            QCOMPARE(file + edgesBehindTitles(all), file);
            std::set<std::string> open;
            for (const Item& item : pictureOf(*program).items) // one level, including runs
                open.insert(item.key);
            QCOMPARE(file + edgesBehindTitles(pictureOf(*program, {.open = open})), file);
        }
    }
};

const test::Registered<FrameTitlesTest> frameTitlesTest("frame_titles_test");
#include "frame_titles_test.moc"
