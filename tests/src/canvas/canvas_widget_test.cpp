#include "canvas/backward_cards.h"
#include "canvas/camera.h"
#include "canvas_fixture.h"
#include "test_case.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

void wheel(CanvasWidget& widget, QPointF at, int turned, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), QPoint(0, turned), Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

class CanvasWidgetTest : public QObject {
    Q_OBJECT

private slots:
    void showingWhatIsInSightLeavesAFittedViewFitted()
    {
        Canvas canvas;
        canvas.widget.fitAll();
        const Camera fitted = canvas.widget.camera();
        std::vector<NodeId> all;
        for (const Item& item : canvas.widget.scene().picture().items)
            all.insert(all.end(), item.nodes.begin(), item.nodes.end());
        canvas.widget.showNodes(all); // items closer to the border than the usual margin of showNodes
        QVERIFY(canvas.widget.isFitted());
        QVERIFY(canvas.widget.camera() == fitted);
        canvas.widget.setZoom(4);
        canvas.widget.showNodes(canvas.nodesOf(kHead));
        QVERIFY(!canvas.widget.isFitted());
        QVERIFY(canvas.widget.rect().contains(canvas.center(kHead)));
    }

    void anotherSizeLeavesThePlaceOfWorkInTheMiddle()
    {
        Canvas canvas;
        canvas.widget.setCamera(Camera({40, 30}, 2));
        const QSize size = canvas.widget.size();
        const auto middle = [&] { return canvas.widget.camera().toScene(QRectF(canvas.widget.rect()).center()); };
        const QPointF before = middle();
        for (const QSize other : {QSize(size.width() / 2, size.height() - 101), size}) {
            canvas.widget.resize(other);
            QCOMPARE(middle(), before);
            QCOMPARE(canvas.widget.camera().zoom(), 2.0);
        }
    }

    void whatIsWholeStaysWhole()
    {
        Canvas canvas;
        canvas.widget.resize(900, 900);
        canvas.widget.showReadable();
        QVERIFY(canvas.widget.isWhole());
        QTRY_VERIFY(canvas.widget.isSeen());
        for (const QSize size : {QSize(150, 120), QSize(900, 900)}) {
            canvas.widget.resize(size);
            const QRectF all = canvas.widget.camera().toView(canvas.widget.scene().bounds());
            QVERIFY(QRectF(canvas.widget.rect()).contains(all));
        }
    }

    void opensReadable()
    {
        Canvas canvas;
        QVERIFY(canvas.widget.camera().zoom() >= 0.86);
        QVERIFY(QRectF(canvas.widget.rect()).contains(canvas.widget.viewRectOf(kEmbed)));
    }

    void opensBesideItsMap()
    {
        test::Sketch sketch;
        ItemId last;
        for (int i = 0; i < 60; ++i) {
            const ItemId next = sketch.op({10, static_cast<float>(10 + 50 * i), 280, 34}, {}, "relu", "relu", "8");
            if (last)
                sketch.edge(last, next);
            last = next;
        }
        CanvasWidget widget;
        widget.resize(400, 500);
        widget.setPictureStyle(test::layerStyle(theme(false)));
        widget.setPicture(scenePictureOf(std::make_shared<const Picture>(sketch.finish({300, 3020}))));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget, kHangMs));
        const QRectF map = Minimap().rect(widget.scene(), widget.camera(), widget.size());
        QVERIFY(!map.isEmpty());
        QVERIFY(widget.viewRectOf(ItemId(0U)).right() < map.left());
    }

    void wheelZoomsAtTheCursor()
    {
        Canvas canvas;
        for (const QPointF at : {QPointF(100, 100), QPointF(350, 400), QPointF(600, 20)})
            for (const int turned : {120, 360, -240}) {
                const QPointF before = canvas.widget.camera().toScene(at);
                const double zoom = canvas.widget.camera().zoom();
                wheel(canvas.widget, at, turned);
                QVERIFY((canvas.widget.camera().zoom() > zoom) == (turned > 0));
                const QPointF off = canvas.widget.camera().toScene(at) - before;
                QVERIFY(off.manhattanLength() < 1e-6);
            }
        const QPointF origin = canvas.widget.camera().origin();
        wheel(canvas.widget, {50, 50}, 120, Qt::ShiftModifier);
        QCOMPARE(canvas.widget.camera().origin().y(), origin.y());
        QVERIFY(canvas.widget.camera().origin().x() != origin.x());
    }

    void clickSelectsTheItemUnderTheMouse()
    {
        Canvas canvas;
        canvas.click(canvas.center(kScores));
        QCOMPARE(canvas.selected, canvas.nodesOf(kScores));
        QCOMPARE(canvas.selectionMode, SelectionMode::replace);
        QCOMPARE(canvas.widget.currentItem(), kScores);
        canvas.click(canvas.center(kFrontRun), Qt::ControlModifier);
        QCOMPARE(canvas.selected, canvas.nodesOf(kFrontRun));
        QCOMPARE(canvas.selectionMode, SelectionMode::toggle);
        canvas.click(QPoint(4, 4));
        QVERIFY(canvas.selected.empty());
        QCOMPARE(canvas.selectionMode, SelectionMode::replace);
    }

    void frameIsGroundButForItsTitle()
    {
        Canvas canvas;
        const QRectF frame = canvas.widget.viewRectOf(kLayer);
        canvas.click((frame.bottomLeft() + QPointF(8, -8)).toPoint());
        QVERIFY(canvas.selected.empty());
        canvas.click((frame.topLeft() + QPointF(120, 8)).toPoint());
        QCOMPARE(canvas.selected.size(), std::size_t{8});
    }

    void shiftDragSelectsWhatTheRectangleTouches()
    {
        Canvas canvas;
        const QRectF area = canvas.widget.viewRectOf(kQuery).united(canvas.widget.viewRectOf(kKey));
        canvas.drag(
            {area.topLeft().toPoint() + QPoint(2, 2), area.center().toPoint(), area.bottomRight().toPoint() - QPoint(2, 2)},
            Qt::ShiftModifier);
        std::vector<NodeId> expected = canvas.nodesOf(kQuery);
        expected.push_back(canvas.nodesOf(kKey).front());
        QCOMPARE(canvas.selected, expected);
        QCOMPARE(canvas.selections, 1);
    }

    void dragOnGroundAndMiddleDragPan()
    {
        Canvas canvas;
        const QPointF before = canvas.widget.camera().toView(QPointF(0, 0));
        canvas.drag({{20, 300}, {60, 330}, {90, 340}});
        const QPointF after = canvas.widget.camera().toView(QPointF(0, 0));
        QCOMPARE((after - before).toPoint(), QPoint(70, 40));
        QCOMPARE(canvas.selections, 0);
        canvas.widget.setTool(ToolKind::brush);
        canvas.drag({canvas.center(kScores), canvas.center(kScores) + QPoint(0, -30)}, {}, Qt::MiddleButton);
        QCOMPARE((canvas.widget.camera().toView(QPointF(0, 0)) - after).toPoint(), QPoint(0, -30));
        QVERIFY(canvas.stroke.empty());
    }

    void movedPixelsEqualPaintedOnes()
    {
        Canvas canvas;
        canvas.widget.clearFocus();
        canvas.widget.setMinimapVisible(false);
        canvas.widget.grab();
        for (const QPointF delta : {QPointF(35, 12), QPointF(-90, -200), QPointF(3, -1)}) {
            canvas.widget.setCamera(canvas.widget.camera().pannedBy(delta));
            const QImage moved = canvas.widget.grab().toImage();
            canvas.widget.setTheme(theme(false));
            QVERIFY(canvas.widget.grab().toImage() == moved);
        }
    }

    void arrowKeysWalkTheGraph()
    {
        Canvas canvas;
        canvas.widget.setCurrentItem(kFrontRun);
        QTest::keyClick(&canvas.widget, Qt::Key_Down);
        QCOMPARE(canvas.widget.currentItem(), kNorm);
        QCOMPARE(canvas.selected, canvas.nodesOf(kNorm));
        QTest::keyClick(&canvas.widget, Qt::Key_Down);
        QCOMPARE(canvas.widget.currentItem(), kKey);
        QTest::keyClick(&canvas.widget, Qt::Key_Left);
        QCOMPARE(canvas.widget.currentItem(), kQuery);
        QTest::keyClick(&canvas.widget, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(canvas.widget.currentItem(), kKey);
        QCOMPARE(canvas.selectionMode, SelectionMode::add);
        QTest::keyClick(&canvas.widget, Qt::Key_Up);
        QCOMPARE(canvas.widget.currentItem(), kNorm);
        QTest::keyClick(&canvas.widget, Qt::Key_End);
        QCOMPARE(canvas.widget.currentItem(), kHead);
        QTest::keyClick(&canvas.widget, Qt::Key_Home);
        QCOMPARE(canvas.widget.currentItem(), kEmbed);
        QVERIFY(QRectF(canvas.widget.rect()).contains(canvas.widget.viewRectOf(kEmbed)));
    }

    void opensAndClosesByMouseAndKey()
    {
        Canvas canvas;
        QStringList keys;
        QObject::connect(&canvas.widget, &CanvasWidget::itemActivated, &canvas.widget,
                         [&keys](ItemId, const QString& key, bool recursive) { keys += key + (recursive ? "!" : ""); });
        QSignalSpy node(&canvas.widget, &CanvasWidget::nodeActivated);
        QSignalSpy up(&canvas.widget, &CanvasWidget::goUpRequested);
        QTest::mouseDClick(&canvas.widget, Qt::LeftButton, {}, canvas.center(kFrontRun));
        canvas.click((canvas.widget.viewRectOf(kFrontRun).topRight() + QPointF(-8, 10)).toPoint());
        canvas.widget.setCurrentItem(kHead);
        QTest::keyClick(&canvas.widget, Qt::Key_Return, Qt::AltModifier);
        QCOMPARE(keys, (QStringList{"layers.0 … layers.14", "layers.0 … layers.14", "norm · lm_head!"}));
        canvas.click(canvas.center(kScores));
        QTest::mouseDClick(&canvas.widget, Qt::LeftButton, {}, canvas.center(kScores));
        QCOMPARE(node.size(), 1);
        QTest::keyClick(&canvas.widget, Qt::Key_Backspace);
        QCOMPARE(up.size(), 1);
    }

    void openingDoesNotJump()
    {
        Canvas canvas;
        auto opened = std::make_shared<Picture>(test::layerPicture());
        // The run has become a frame, higher and further right; everything below it has moved down.
        for (Item& item : opened->items) {
            item.rect.x += 60;
            if (item.rect.y > 100)
                item.rect.y += 300;
        }
        opened->items[kFrontRun.index()].kind = ItemKind::frame;
        opened->items[kFrontRun.index()].rect.height += 280;
        canvas.widget.setCamera(canvas.widget.camera().pannedBy({1, 0}));
        const QPointF before = canvas.widget.viewRectOf(kFrontRun).topLeft();
        canvas.widget.setPicture(scenePictureOf(opened), NodeId(3U));
        QCOMPARE(canvas.widget.viewRectOf(kFrontRun).topLeft().toPoint(), before.toPoint());
    }

    void opensAsWideAsTitlesAllow()
    {
        CanvasScene scene;
        scene.setPicture(scenePictureOf(std::make_shared<Picture>(test::layerPicture())));
        const double wide = scene.bounds().width;
        const QSizeF nearly(wide * kTitlesZoom + 1, 100);
        const Camera whole = openingCamera(scene, nearly);
        const QRectF seen = whole.toView(scene.bounds());
        QCOMPARE(whole.zoom(), kTitlesZoom);
        QVERIFY(seen.left() >= 0 && seen.right() <= nearly.width());
        const QSizeF narrow(wide * kTitlesZoom * 0.8, 100); // still fitted
        const QRectF narrowly = openingCamera(scene, narrow).toView(scene.bounds());
        QVERIFY(narrowly.left() >= 0 && narrowly.right() <= narrow.width());
        const QSizeF tooNarrow(wide * kColumnsZoom * 0.8, 400); // with all texts readable, starting at the input
        const Camera begun = openingCamera(scene, tooNarrow);
        QCOMPARE(begun.zoom(), double{kReadableZoom});
        QVERIFY(QRectF(QPointF(), tooNarrow).contains(begun.toView(scene.item(kEmbed).rect).center()));
        QCOMPARE(openingCamera(scene, {wide * 2, 100}).zoom(), 1.0);
    }

    /// Below the zoom at which texts are readable, dots replace chips.
    void aFittedPictureHasNoRoomForTextsThatAreNotDrawn()
    {
        test::Sketch sketch;
        const ItemId op = sketch.op({20, 20, 200, 34}, {}, "relu", "relu_0", "8");
        Picture picture = sketch.finish({400, 80});
        picture.items[op.index()].chips.push_back({.rect = {240, 28, 140, 16}, .text = "a long name", .value = NodeId(0U)});
        CanvasScene scene;
        scene.setPicture(scenePictureOf(std::make_shared<const Picture>(std::move(picture))));
        QCOMPARE(wholeCamera(scene, {800, 600}, 1).zoom(), 1.0);
        const Camera small = wholeCamera(scene, {200, 200}, 1);
        QVERIFY2(small.zoom() > Camera::fitting(scene.bounds(), {200, 200}, kFitMargin, 1).zoom() * 1.3,
                 qPrintable(QString::number(small.zoom())));
        QVERIFY(small.toView(Rect{240, 28, kChipDot, kChipDot}).right() < 200);
        double before = 0;
        for (int width = 60; width < 800; width += 10) { // a wider view never shows a smaller picture
            const double zoom = wholeCamera(scene, {static_cast<double>(width), 600}, 1).zoom();
            QVERIFY(zoom >= before);
            before = zoom;
        }
        const Camera opening = openingCamera(scene, {240, 200}); // the box is readable
        QCOMPARE(opening.zoom(), double{kReadableZoom});
        QVERIFY(QRectF(0, 0, 240, 200).contains(opening.toView(scene.item(op).rect)));
    }

    void whatIsOpenedIsSeenAsFarAsItFits()
    {
        Canvas canvas;
        auto opened = std::make_shared<Picture>(test::layerPicture());
        opened->items[kHead.index()].kind = ItemKind::frame;
        opened->items[kHead.index()].rect.height += 2000;
        canvas.widget.setCamera(canvas.widget.camera().pannedBy({1, 0}));
        const double left = canvas.widget.viewRectOf(kHead).left();
        canvas.widget.setPicture(scenePictureOf(opened), canvas.nodesOf(kHead).front());
        const QRectF frame = canvas.widget.viewRectOf(kHead);
        QVERIFY(frame.height() > canvas.widget.height());
        QCOMPARE(frame.top(), kFitMargin); // higher than the view: starts at the top
        QCOMPARE(frame.left(), left);
    }

    void fSHowsEverything()
    {
        Canvas canvas;
        canvas.widget.setCamera(Camera({2000, 2000}, 3));
        QTest::keyClick(&canvas.widget, Qt::Key_F);
        const QRectF all = canvas.widget.camera().toView(canvas.widget.scene().bounds());
        QVERIFY(QRectF(canvas.widget.rect()).contains(all));
    }

    void hoverTellsTheNodesOnce()
    {
        Canvas canvas;
        QSignalSpy hovered(&canvas.widget, &CanvasWidget::hovered);
        for (const QPoint at : {canvas.center(kScores), canvas.center(kScores) + QPoint(3, 3), QPoint(5, 5)}) {
            QMouseEvent move(QEvent::MouseMove, at, canvas.widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QCoreApplication::sendEvent(&canvas.widget, &move);
        }
        QCOMPARE(hovered.size(), 2);
    }

    void screenReadersSeeItems()
    {
        Canvas canvas;
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&canvas.widget);
        QVERIFY(access != nullptr);
        QCOMPARE(access->childCount(), 13);
        QAccessibleInterface* scores = access->child(static_cast<int>(kScores.index()));
        QCOMPARE(scores->text(QAccessible::Name), "scores, matmul, layers.15, tag stage 1, 1×4×s×s, 2 inputs, 1 user, legal");
        canvas.widget.setActiveTag(1);
        QCOMPARE(access->text(QAccessible::Description).section('.', 0, 0), "Active tag: " + canvas.widget.activeTagName());
        QCOMPARE(access->indexOfChild(scores), static_cast<int>(kScores.index()));
        QVERIFY(access->child(1)->state().expandable);
        QVERIFY(access->child(static_cast<int>(kValue.index()))->state().selected);
        canvas.widget.setCurrentItem(kScores);
        QCOMPARE(access->focusChild(), scores);
        canvas.widget.setPicture(nullptr);
        QCOMPARE(access->childCount(), 0);
    }

    void backwardCardCanBeClicked()
    {
        Canvas canvas;
        canvas.widget.grab();
        QSignalSpy clicked(&canvas.widget, &CanvasWidget::backwardCardClicked);
        const CanvasScene& scene = canvas.widget.scene();
        const std::vector<BackwardCard> cards = placeBackwardCards({.picture = scene.picture(),
                                                                    .style = scene.style(),
                                                                    .looks = scene.looks(),
                                                                    .camera = canvas.widget.camera(),
                                                                    .view = canvas.widget.rect()});
        QCOMPARE(cards.size(), std::size_t(1));
        canvas.click(cards.front().rect.center().toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.front().front().toInt(), 0);
    }

    void tellsWhoChoseTheZoom()
    {
        Canvas canvas;
        QSignalSpy chosen(&canvas.widget, &CanvasWidget::zoomChosen);
        canvas.widget.setZoom(2);
        canvas.widget.showWhole();
        QCOMPARE(chosen.size(), 0);
        QTest::keyClick(&canvas.widget, Qt::Key_F);
        canvas.widget.zoomBy(1.1);
        QCOMPARE(chosen.size(), 2);
    }

    void nothingToShowIsNoTrouble()
    {
        CanvasWidget widget;
        widget.resize(300, 300);
        widget.show();
        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(100, 100));
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Return, Qt::Key_F, Qt::Key_Escape, Qt::Key_Home})
            QTest::keyClick(&widget, key);
        wheel(widget, {10, 10}, 120);
        QVERIFY(!widget.grab().isNull());
    }
};

const test::Registered<CanvasWidgetTest> canvasWidgetTest("canvas_widget_test");
#include "canvas_widget_test.moc"
