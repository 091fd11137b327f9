#include "canvas/map_labels.h"

#include "canvas/palette.h"
#include "canvas/picture_style.h"
#include "layout/picture/picture_index.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// A frame that contains empty frames of 300 × 200 in two rows of ten.
Picture framesInAFrame()
{
    Picture picture;
    picture.size = {3100, 500};
    Item outer{.kind = ItemKind::frame, .rect = {0, 0, 3100, 500}, .title = "model.layers"};
    picture.items.push_back(outer);
    for (int i = 0; i < 20; ++i) {
        const auto column = static_cast<float>(i % 10);
        const auto row = static_cast<float>(i / 10);
        picture.items.push_back({.kind = ItemKind::frame,
                                 .rect = {50 + column * 305, 60 + row * 210, 300, 200},
                                 .parent = ItemId(0U),
                                 .depth = 1,
                                 .title = "model.layers." + std::to_string(i)});
    }
    return picture;
}

} // namespace

class MapLabelsTest final : public QObject {
    Q_OBJECT
private slots:
    void namesEveryFrameThatHasRoom()
    {
        const std::vector<MapLabel> labels = labelsAt(0.4);
        QCOMPARE(labels.size(), std::size_t{21});
        QCOMPARE(labels.front().text, QString("model.layers")); // largest first
        QCOMPARE(labels[1].text, QString("model.layers.0"));
    }

    void leavesOutWhatFramesAroundSay()
    {
        const std::vector<MapLabel> labels = labelsAt(0.1); // a frame is 30 px wide
        QCOMPARE(labels.front().text, QString("model.layers"));
        QVERIFY(labels.size() > 5);
        for (std::size_t i = 1; i < labels.size(); ++i)
            QVERIFY2(labels[i].text.toInt() > 0 || labels[i].text == "0", qPrintable(labels[i].text));
    }

    void thinsOutBeforeNamesTouch()
    {
        std::size_t before = 100;
        for (const double zoom : {0.4, 0.1, 0.06, 0.035}) {
            const std::vector<MapLabel> labels = labelsAt(zoom);
            QVERIFY(labels.size() <= before);
            QVERIFY(!labels.empty());
            before = labels.size();
            for (std::size_t i = 0; i < labels.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY2(!labels[i].at.intersects(labels[k].at), qPrintable(labels[i].text + " " + labels[k].text));
        }
        QCOMPARE(before, std::size_t{1});
    }

    void namesHaveOneSizeAndStayInTheirFrames()
    {
        for (const double zoom : {0.4, 0.2, 0.1}) {
            for (const MapLabel& label : labelsAt(zoom)) {
                QCOMPARE(label.at.height(), 14.0);
                const QRectF frame = Camera({}, zoom).toView(m_picture.items[label.frame.index()].rect);
                QVERIFY(frame.adjusted(-0.5, -0.5, 0.5, 0.5).contains(label.at));
            }
        }
    }

    void titlesThatAreReadNeedNoNames() { QVERIFY(labelsAt(1).empty()); }

    void aFrameThatReachesOutOfTheViewIsNamedWhereItIsSeen()
    {
        const std::vector<MapLabel> labels = labelsAt(0.4, Camera(QPointF(1000, 0), 0.4));
        QCOMPARE(labels.front().text, QString("model.layers"));
        QCOMPARE(labels.front().at.left(), 1.0);
    }

private:
    std::vector<MapLabel> labelsAt(double zoom, std::optional<Camera> camera = {})
    {
        const PictureTables tables(m_picture);
        PictureStyle style;
        style.theme = &theme(false);
        const PictureLooks looks(m_picture, tables, style);
        const PaintContext context{.picture = m_picture,
                                   .style = style,
                                   .looks = looks,
                                   .camera = camera.value_or(Camera({}, zoom)),
                                   .view = QRectF(0, 0, 1400, 700)};
        return placeMapLabels(context, tables.framesBySize());
    }

    Picture m_picture = framesInAFrame();
};

const test::Registered<MapLabelsTest> mapLabelsTest("map_labels_test");
#include "map_labels_test.moc"
