#include "canvas/canvas_widget.h"
#include "canvas/minimap.h"
#include "patience.h"
#include "synthetic_picture.h"
#include "test_case.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace sunder;

namespace {

constexpr QSizeF kSight(800, 600);

/// A column of `count` ops with a pitch of 100.
Picture column(int count)
{
    test::Sketch sketch;
    for (int i = 0; i < count; ++i)
        sketch.op({400, static_cast<float>(i) * 100, 120, 34}, {}, "relu", "relu_" + std::to_string(i), "8");
    return sketch.finish({1000, static_cast<float>(count) * 100});
}

} // namespace

/// The map of the whole picture.
class MinimapTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_scene.editStyle() = {};
        m_map = Minimap();
        m_scene.setPicture(scenePictureOf(std::make_shared<const Picture>(column(60))));
    }

    void isLeftOutWhereTheWholeIsSeen()
    {
        const Camera whole = Camera::fitting(m_scene.bounds(), kSight, 20, 1);
        QVERIFY(m_map.rect(m_scene, whole, kSight).isEmpty());
        QVERIFY(!m_map.rect(m_scene, Camera({0, 0}, 1), kSight).isEmpty());
        QVERIFY(m_map.rect(CanvasScene(), Camera({0, 0}, 1), kSight).isEmpty());
    }

    void isLeftOutOfASmallView() { QVERIFY(m_map.rect(m_scene, Camera({0, 0}, 1), QSizeF(200, 150)).isEmpty()); }

    void liesInTheLowerRightCorner()
    {
        const QRectF at = m_map.rect(m_scene, Camera({0, 0}, 1), kSight);
        QVERIFY(QRectF(QPointF(), kSight).contains(at));
        QVERIFY(at.left() > kSight.width() / 2);
        QVERIFY(at.bottom() > kSight.height() - 20);
    }

    void leadsToTheScenePointBelowTheMouse()
    {
        const Camera camera({0, 0}, 1);
        const QRectF at = m_map.rect(m_scene, camera, kSight);
        const Camera middle = m_map.cameraAt(at.center(), m_scene, camera, kSight);
        const QPointF seen = middle.toScene(QPointF(kSight.width() / 2, kSight.height() / 2));
        QVERIFY(std::abs(seen.y() - m_scene.bounds().height / 2) < 30);
        QCOMPARE(middle.zoom(), camera.zoom());
        const Camera top = m_map.cameraAt(at.center() - QPointF(0, at.height() * 0.4), m_scene, camera, kSight);
        QVERIFY(top.origin().y() < middle.origin().y());
    }

    void showsTheColorsOfTags()
    {
        PictureStyle& style = m_scene.editStyle();
        style.theme = &theme(false);
        style.tags = {{"a", "A", tagStyle(*style.theme, std::size_t{2})}};
        style.tagOf.assign(60, 0);
        QImage image(kSight.toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const Camera camera({0, 0}, 1);
        m_map.paint(painter, m_scene, camera, kSight, 1, false);
        painter.end();
        const QRect at = m_map.rect(m_scene, camera, kSight).toRect();
        const QColor tag = style.tags.front().style.color;
        int marks = 0;
        for (int y = at.top(); y < at.bottom(); ++y)
            for (int x = at.left(); x < at.right(); ++x)
                marks += std::abs(image.pixelColor(x, y).hue() - tag.hue()) < 12 && image.pixelColor(x, y).saturation() > 60;
        QVERIFY2(marks > 20, qPrintable(QString::number(marks)));
    }

    /// The image is made in slices; a slice does not report later changes.
    void isMadeInSlicesWhereThePictureIsLarge()
    {
        constexpr int kOps = 300'000;
        m_scene.setPicture(scenePictureOf(std::make_shared<const Picture>(column(kOps))));
        PictureStyle& style = m_scene.editStyle();
        style.theme = &theme(false);
        style.tags = {{"a", "A", tagStyle(*style.theme, std::size_t{2})}};
        style.tagOf.assign(kOps, 0);
        const Camera camera({0, 0}, 1);
        const QRect at = m_map.rect(m_scene, camera, kSight).toRect();
        const QRgb tag = style.tags.front().style.color.rgb();
        const auto marks = [&](QRgb color) {
            QImage image(kSight.toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            m_map.paint(painter, m_scene, camera, kSight, 1, false);
            painter.end();
            int count = 0;
            for (int y = at.top(); y < at.bottom(); ++y)
                for (int x = at.left(); x < at.right(); ++x)
                    count += image.pixel(x, y) == color ? 1 : 0;
            return count;
        };
        QCOMPARE(marks(tag), 0);
        QVERIFY(m_map.isLate());
        QVERIFY(!m_map.advance(m_scene)); // one slice is not the whole picture
        while (!m_map.advance(m_scene)) {
        }
        QVERIFY(!m_map.isLate());
        const int whole = marks(tag);
        QVERIFY2(whole > 50, qPrintable(QString::number(whole)));
        m_scene.editStyle().selected.insert(NodeId(static_cast<std::uint32_t>(kOps / 2)));
        QCOMPARE(marks(tag), whole); // unchanged
        QVERIFY(m_map.isLate());
        m_scene.editStyle().selected.insert(NodeId(3U));
        QVERIFY(m_map.advance(m_scene)); // cancelled
        QVERIFY(!m_map.isLate());
        marks(tag);
        while (!m_map.advance(m_scene)) {
        }
        QVERIFY(marks(theme(false).selection.rgb()) > 8);
    }

    void letsThroughWhatLiesUnderIt()
    {
        test::Sketch sketch;
        for (int i = 0; i < 240; ++i)
            sketch.op({i % 2 == 0 ? 660.F : 100.F, static_cast<float>(i) * 50, 130, 34}, {}, "relu", "relu_" + std::to_string(i),
                      "8");
        const Picture picture = sketch.finish({1000, 12000});
        m_scene.setPicture(scenePictureOf(std::make_shared<const Picture>(picture)));
        m_scene.editStyle().theme = &theme(false);
        const auto groundUnder = [this](const Camera& camera) {
            QImage image(kSight.toSize(), QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            m_map.paint(painter, m_scene, camera, kSight, 1, false);
            painter.end();
            const QRectF at = m_map.rect(m_scene, camera, kSight);
            return image.pixelColor((at.topRight() + QPointF(-4, 4)).toPoint()).lightness();
        };
        const int thin = groundUnder(Camera({0, 0}, 1));
        const int full = groundUnder(Camera({0, 0}, 0.25)); // nothing readable
        QVERIFY2(thin < 160 && full > 200, qPrintable(QString("%1 %2").arg(thin).arg(full)));
    }

    void movesTheCanvasWithTheMouse()
    {
        CanvasWidget canvas;
        canvas.resize(kSight.toSize());
        canvas.setPicture(scenePictureOf(std::make_shared<const Picture>(column(60))));
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas, test::kHangMs));
        const QRect at = m_map.rect(m_scene, canvas.camera(), kSight).toRect();
        QVERIFY(!at.isEmpty());
        const double before = canvas.camera().origin().y();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(at.center().x(), at.bottom() - 12));
        QVERIFY(canvas.camera().origin().y() > before + 1000);
    }

    void legendCoversWhatIsLeast()
    {
        test::Sketch sketch;
        for (int i = 0; i < 5; ++i) // all at the lower left
            sketch.op({10, 300 + static_cast<float>(i) * 50, 120, 34}, {}, "relu", "relu_" + std::to_string(i), "8");
        CanvasWidget canvas;
        canvas.resize(kSight.toSize());
        canvas.setPicture(scenePictureOf(std::make_shared<const Picture>(sketch.finish({800, 600}))));
        canvas.setLegendVisible(true);
        QVERIFY(!canvas.legendRect().isEmpty());
        QVERIFY(canvas.legendRect().top() < 100);
    }

private:
    CanvasScene m_scene;
    Minimap m_map;
};

const test::Registered<MinimapTest> minimapTest("minimap_test");
#include "minimap_test.moc"
