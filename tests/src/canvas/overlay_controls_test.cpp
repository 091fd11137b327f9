#include "canvas/canvas_overlay.h"

#include "scene_sketch.h"
#include "test_case.h"

#include <QImage>
#include <QTest>

using namespace sunder;

/// Effects of presses on the overlays of a picture.
class OverlayControlsTest final : public QObject {
    Q_OBJECT

private:
    using Kind = OverlayControls::Press::Kind;

    static void paint(OverlayControls& overlay, const test::SketchedScene& sketch)
    {
        QImage image(sketch.sight().view.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        const PaintContext context{.picture = sketch.scene.picture(),
                                   .style = sketch.scene.style(),
                                   .looks = sketch.scene.looks(),
                                   .camera = sketch.camera,
                                   .view = QRectF(QPointF(), sketch.sight().view)};
        overlay.paint(painter, sketch.sight(), context, false);
    }

private slots:
    void aPressOnThePictureIsBesideAllOfIt()
    {
        test::SketchedScene sketch;
        OverlayControls overlay;
        paint(overlay, sketch);
        QCOMPARE(overlay.pressed(sketch.middleOf(sketch.closed), sketch.sight()).kind, Kind::beside);
        QVERIFY(!overlay.dragged({10, 10}, sketch.sight()));
    }

    void theMinimapLeadsAndIsDragged()
    {
        test::SketchedScene sketch;
        sketch.camera = Camera({0, 0}, 4);
        OverlayControls overlay;
        const QRectF map = overlay.minimapRect(sketch.sight());
        QVERIFY(!map.isEmpty());
        const OverlayControls::Press press = overlay.pressed(map.center(), sketch.sight());
        QCOMPARE(press.kind, Kind::look);
        QVERIFY(press.camera != sketch.camera);
        QVERIFY(overlay.dragged(map.topLeft(), sketch.sight()));
        QVERIFY(*overlay.dragged(map.topLeft(), sketch.sight()) != press.camera);
        overlay.released();
        QVERIFY(!overlay.dragged(map.topLeft(), sketch.sight()));
    }

    void aHiddenMinimapTakesNoPress()
    {
        test::SketchedScene sketch;
        sketch.camera = Camera({0, 0}, 4);
        OverlayControls overlay;
        const QPointF inMap = overlay.minimapRect(sketch.sight()).center();
        overlay.setMinimapVisible(false);
        QVERIFY(overlay.minimapRect(sketch.sight()).isEmpty());
        QCOMPARE(overlay.pressed(inMap, sketch.sight()).kind, Kind::beside);
    }

    void anArrowLeadsToWhatIsOutOfView()
    {
        test::SketchedScene sketch;
        sketch.scene.editStyle().selected = NodeSet(std::array{NodeId(5U)});
        sketch.camera = Camera({0, -1200}, 1);
        OverlayControls overlay;
        overlay.setMinimapVisible(false);
        paint(overlay, sketch);
        const std::vector<EdgeArrow> arrows = edgeArrows(sketch.scene, sketch.camera, QRectF(QPointF(), sketch.sight().view));
        QCOMPARE(arrows.size(), std::size_t(1));
        const QPointF at = arrows.front().rect.center();
        QVERIFY(overlay.arrowAt(at) != nullptr);
        QCOMPARE(overlay.arrowAt(at)->nearest, sketch.reader);
        const OverlayControls::Press press = overlay.pressed(at, sketch.sight());
        QCOMPARE(press.kind, Kind::look);
        const CanvasSight moved{sketch.scene, press.camera, sketch.sight().view};
        QVERIFY(QRectF(QPointF(), moved.view).contains(moved.viewRectOf(sketch.reader)));
    }

    void aCardNamesItsBackwardEdge()
    {
        test::SketchedScene sketch;
        sketch.scene.editStyle().backward = {{NodeId(4U), NodeId(5U), "T2 → T1 runs backward", "1 KB"}};
        OverlayControls overlay;
        paint(overlay, sketch);
        const PaintContext context{.picture = sketch.scene.picture(),
                                   .style = sketch.scene.style(),
                                   .looks = sketch.scene.looks(),
                                   .camera = sketch.camera,
                                   .view = QRectF(QPointF(), sketch.sight().view)};
        const std::vector<BackwardCard> cards = placeBackwardCards(context);
        QCOMPARE(cards.size(), std::size_t(1));
        QVERIFY(!cards.front().small);
        for (const Item& item : sketch.scene.picture().items)
            QVERIFY(item.kind == ItemKind::frame || !sketch.camera.toView(item.rect).intersects(cards.front().rect));
        QVERIFY(!cards.front().rect.contains(cards.front().anchor)); // next to the edge, with a leader line
        QVERIFY(context.view.contains(cards.front().rect));
        const OverlayControls::Press press = overlay.pressed(cards.front().rect.center(), sketch.sight());
        QCOMPARE(press.kind, Kind::card);
        QCOMPARE(press.mark, 0U);
    }

    void theLegendIsDismissedByItsCross()
    {
        test::SketchedScene sketch;
        OverlayControls overlay;
        overlay.setLegendVisible(true);
        overlay.placeLegend(sketch.sight());
        QVERIFY(!overlay.legendRect().isEmpty());
        QCOMPARE(overlay.pressed(overlay.legendRect().center(), sketch.sight()).kind, Kind::taken);
        QCOMPARE(overlay.pressed(overlay.legendRect().topRight() + QPointF(-14, 14), sketch.sight()).kind, Kind::dismissed);
        QCOMPARE(overlay.pressed(overlay.legendRect().center(), sketch.sight()).kind, Kind::beside);
    }
};

const test::Registered<OverlayControlsTest> overlayControlsTest("overlay_controls_test");
#include "overlay_controls_test.moc"
