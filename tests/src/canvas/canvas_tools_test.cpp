#include "canvas_fixture.h"
#include "test_case.h"

#include <QSignalSpy>

using namespace sunder;
using namespace sunder::test;

/// The hand and the rectangle: effects of press, move, and release, and their display.
class CanvasToolsTest final : public QObject {
    Q_OBJECT

private slots:
    void theHandMovesThePictureAndSelectsNothing()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::pan);
        const QPointF before = canvas.widget.viewRectOf(kKey).center();
        const QPoint from = canvas.center(kKey);
        canvas.drag({from, from + QPoint(20, 10), from + QPoint(60, -30)});
        QCOMPARE(canvas.widget.viewRectOf(kKey).center(), before + QPointF(60, -30));
        QCOMPARE(canvas.selections, 0);
        QVERIFY(canvas.stroke.empty());
    }

    void theHandShowsWhetherItHolds()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::pan);
        QTest::mouseMove(&canvas.widget, canvas.center(kKey));
        QCOMPARE(canvas.widget.cursor().shape(), Qt::OpenHandCursor);
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, canvas.center(kKey));
        QCOMPARE(canvas.widget.cursor().shape(), Qt::ClosedHandCursor);
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, canvas.center(kKey));
        QCOMPARE(canvas.widget.cursor().shape(), Qt::OpenHandCursor);
    }

    void aRectangleIsSeenWhileItIsDrawn()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        const QRectF area = canvas.widget.viewRectOf(kNorm).united(canvas.widget.viewRectOf(kValue));
        const QImage before = canvas.widget.grab().toImage();
        begin(canvas, area);
        const QImage during = canvas.widget.grab().toImage();
        QVERIFY(during != before);
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, area.bottomRight().toPoint());
        QVERIFY(canvas.stroke.empty()); // cancelled
    }

    void aRectangleWithAltErases()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        QSignalSpy started(&canvas.widget, &CanvasWidget::strokeStarted);
        const QRectF area = canvas.widget.viewRectOf(kNorm).united(canvas.widget.viewRectOf(kValue));
        canvas.drag({area.topLeft().toPoint(), area.bottomRight().toPoint()}, Qt::AltModifier);
        QCOMPARE(started.size(), 1);
        QCOMPARE(started[0][0].value<StrokeKind>(), StrokeKind::erase);
        QCOMPARE(canvas.stroke.size(), std::size_t{4});
    }

    void aRectangleAroundNothingIsNoStroke()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        QSignalSpy started(&canvas.widget, &CanvasWidget::strokeStarted);
        const QPoint ground(2, kView.height() / 2);
        QVERIFY(!canvas.widget.itemAt(ground).isValid());
        canvas.drag({ground, ground + QPoint(3, 3)});
        QCOMPARE(started.size(), 0);
    }

    void aClickOfTheRectangleOnATitleTakesTheModule()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        const QRectF frame = canvas.widget.viewRectOf(kLayer);
        canvas.click(QPointF(frame.center().x(), frame.top() + 6).toPoint());
        QCOMPARE(canvas.stroke, canvas.nodesOf(kLayer));
    }

private:
    /// Presses in one corner and moves to the opposite one.
    static void begin(Canvas& canvas, const QRectF& area)
    {
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, area.topLeft().toPoint());
        const QPointF at = area.bottomRight();
        QMouseEvent move(QEvent::MouseMove, at, canvas.widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas.widget, &move);
    }
};

const test::Registered<CanvasToolsTest> canvasToolsTest("canvas_tools_test");
#include "canvas_tools_test.moc"
