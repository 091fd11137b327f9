#include "canvas_fixture.h"
#include "test_case.h"

#include <QSignalSpy>

using namespace sunder;
using namespace sunder::test;

/// The lasso, strokes along wires, and strokes that reach the edge of the view.
class CanvasStrokesTest final : public QObject {
    Q_OBJECT

private slots:
    void theLassoTakesWhatItEncloses()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        canvas.widget.setActiveTag(2);
        const QRectF area = canvas.widget.viewRectOf(kQuery).united(canvas.widget.viewRectOf(kKey));
        canvas.drag(around(area));
        QCOMPARE(canvas.stroke, (std::vector{NodeId(10U), NodeId(11U)}));
        QCOMPARE(canvas.widget.pictureStyle().tag(NodeId(10U)), 2);
    }

    void whatTheLassoOnlyTouchesStays()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        QRectF area = canvas.widget.viewRectOf(kQuery);
        area.setRight(area.center().x() - 5); // its center is outside
        canvas.drag(around(area));
        QVERIFY(canvas.stroke.empty());
    }

    void theLassoWithAltErases()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        QSignalSpy started(&canvas.widget, &CanvasWidget::strokeStarted);
        canvas.drag(around(canvas.widget.viewRectOf(kKey)), Qt::AltModifier);
        QCOMPARE(started.size(), 1);
        QCOMPARE(started[0][0].value<StrokeKind>(), StrokeKind::erase);
    }

    void aClickOfTheLassoTakesTheItem()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        canvas.click(canvas.center(kKey));
        QCOMPARE(canvas.stroke, canvas.nodesOf(kKey));
    }

    void aLassoIsGivenUp()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        const QRectF area = canvas.widget.viewRectOf(kKey).adjusted(-4, -4, 4, 4);
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, area.topLeft().toPoint());
        move(canvas, area.topRight());
        move(canvas, area.bottomRight());
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, area.bottomLeft().toPoint());
        QVERIFY(canvas.stroke.empty());
    }

    void aBrushOnAWirePaintsWhatItJoins()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setActiveTag(2);
        canvas.widget.setBrushRadius(3);
        canvas.click(onWire(canvas, kScores, ItemId(8U)));
        QCOMPARE(canvas.stroke, (std::vector{NodeId(13U), NodeId(14U)})); // scores and softmax
    }

    void alongWiresTheBrushTakesWhatHangsTogether()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setBrushRadius(3);
        const QPoint first = onWire(canvas, kScores, ItemId(8U));
        const QPoint next = onWire(canvas, ItemId(8U), ItemId(9U));
        canvas.drag({first, next});
        QCOMPARE(canvas.stroke, (std::vector{NodeId(13U), NodeId(14U), NodeId(15U)}));
    }

    void anotherWireOnTheWayIsNotTaken()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setBrushRadius(3);
        const QPoint first = onWire(canvas, ItemId(0U), kFrontRun);
        const QPoint next = onWire(canvas, kScores, ItemId(8U));
        canvas.drag({first, next});
        for (const NodeId node : canvas.stroke)
            QVERIFY(node != NodeId(13U) && node != NodeId(14U));
    }

    void aStrokeThatBeginsOnAnItemTakesNoWires()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setBrushRadius(3);
        canvas.drag({canvas.center(kScores), onWire(canvas, kScores, ItemId(8U))});
        QCOMPARE(canvas.stroke, canvas.nodesOf(kScores));
    }

    void whatIsOutOfViewIsNotPainted_data()
    {
        QTest::addColumn<ToolKind>("kind");
        QTest::newRow("brush") << ToolKind::brush;
        QTest::newRow("rectangle") << ToolKind::rectangle;
        QTest::newRow("lasso") << ToolKind::lasso;
    }
    void whatIsOutOfViewIsNotPainted()
    {
        QFETCH(ToolKind, kind);
        Canvas canvas;
        canvas.widget.setTool(kind);
        canvas.widget.setActiveTag(0);
        canvas.widget.setBrushRadius(200);
        // Only the upper part is in view; the mouse jumps far below it.
        canvas.widget.setCamera(Camera(QPointF(0, -560), 1));
        QVERIFY(canvas.widget.viewRectOf(kEmbed).bottom() < kView.height());
        QVERIFY(canvas.widget.viewRectOf(kQuery).top() > kView.height());
        const QPoint low(kView.width() / 2, kView.height() + 700);
        const QPoint half(kView.width() / 2, 0);
        const QPoint from(5, 300);
        canvas.drag(kind == ToolKind::rectangle
                        ? std::vector{from, low + half}
                        : std::vector{from, from + half + half - QPoint(10, 0), low + half, low, low - half});
        QVERIFY(!canvas.stroke.empty());
        for (const NodeId node : canvas.stroke)
            QVERIFY(canvas.widget.viewRectOf(canvas.widget.scene().itemOf(node)).top() < kView.height());
    }

    void aStrokeAtTheEdgeMovesThePicture()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        canvas.widget.setActiveTag(0);
        canvas.widget.setCamera(Camera(QPointF(0, -560), 1));
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, QPoint(5, 300));
        move(canvas, {kView.width() - 40.0, kView.height() + 30.0});
        QVERIFY(comes([&] { return canvas.widget.viewRectOf(kHead).top() < kView.height(); }));
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, QPoint(kView.width() - 40, kView.height() + 30));
        const std::vector<NodeId> head = canvas.nodesOf(kHead);
        QVERIFY(std::ranges::find(canvas.stroke, head.front()) != canvas.stroke.end());
        // the start of the stroke, out of view by now
        QVERIFY(std::ranges::find(canvas.stroke, NodeId(0U)) != canvas.stroke.end());
    }

    void itStopsWhereThePictureEnds()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setCamera(Camera(QPointF(0, -100), 1));
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, QPoint(5, 300));
        const Camera before = canvas.widget.camera();
        move(canvas, {5.0, kView.height() + 200.0});
        QTRY_VERIFY(canvas.widget.camera() != before);
        Camera last = before;
        QVERIFY(comes([&] { return std::exchange(last, canvas.widget.camera()) == canvas.widget.camera() && ended(canvas); }));
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, QPoint(5, kView.height() - 1));
    }

    void theFurtherOutTheFaster()
    {
        const QSizeF view(400, 300);
        QCOMPARE(EdgeScroll::paceAt({200, 150}, view), QPointF());
        QVERIFY(EdgeScroll::paceAt({200, 290}, view).y() < 0);
        QVERIFY(EdgeScroll::paceAt({200, 299}, view).y() < EdgeScroll::paceAt({200, 290}, view).y());
        QVERIFY(EdgeScroll::paceAt({2, 150}, view).x() > 0);
        QCOMPARE(EdgeScroll::paceAt({-500, 150}, view), EdgeScroll::paceAt({-5000, 150}, view)); // bounded
        QCOMPARE(EdgeScroll::paceAt({5, 5}, {50, 50}), QPointF()); // the whole view would be an edge
    }

private:
    static bool ended(const Canvas& canvas)
    {
        return canvas.widget.camera().toView(canvas.widget.scene().bounds()).bottom() <= kView.height() - 39;
    }
    static std::vector<QPoint> around(const QRectF& area)
    {
        const QRect box = area.adjusted(-5, -5, 5, 5).toAlignedRect();
        return {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft(), box.topLeft() + QPoint(0, 3)};
    }
    static void move(Canvas& canvas, QPointF at)
    {
        QMouseEvent event(QEvent::MouseMove, at, canvas.widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas.widget, &event);
    }
    /// The middle of the wire between two items.
    static QPoint onWire(const Canvas& canvas, ItemId from, ItemId to)
    {
        for (const PictureEdge& edge : canvas.widget.scene().picture().edges)
            if (edge.from == from && edge.to == to) {
                const Point a = edge.path.front();
                const Point b = edge.path.back();
                return canvas.widget.camera().toView(Point{(a.x + b.x) / 2, (a.y + b.y) / 2}).toPoint();
            }
        return {};
    }
};

const test::Registered<CanvasStrokesTest> canvasStrokesTest("canvas_strokes_test");
#include "canvas_strokes_test.moc"
