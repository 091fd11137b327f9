#include "canvas_fixture.h"
#include "test_case.h"

#include <QSignalSpy>

using namespace sunder;
using namespace sunder::test;

/// Strokes of the brush and of the rectangle tool.
class CanvasPaintingTest : public QObject {
    Q_OBJECT

private slots:
    void brushTakesEachNodeOnceAndShowsItAtOnce()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setActiveTag(2);
        QSignalSpy started(&canvas.widget, &CanvasWidget::strokeStarted);
        QSignalSpy cancelled(&canvas.widget, &CanvasWidget::strokeCancelled);
        const QPoint from = canvas.center(kQuery);
        const QPoint to = canvas.center(kValue);
        canvas.drag({from, to, from, to});
        QCOMPARE(started.size(), 1);
        QCOMPARE(cancelled.size(), 0);
        QCOMPARE(canvas.stroke, (std::vector{NodeId(10U), NodeId(11U), NodeId(12U)}));
        QCOMPARE(canvas.widget.pictureStyle().tag(NodeId(11U)), 2);
        QCOMPARE(canvas.widget.scene().looks()[kKey].tag, 2);
        canvas.widget.setTool(ToolKind::eraser);
        canvas.click(canvas.center(kKey));
        QCOMPARE(canvas.widget.scene().looks()[kKey].tag, PictureStyle::kUntagged);
        QCOMPARE(canvas.selections, 0);
    }

    void brushOnAClosedModulePaintsAllInIt()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setActiveTag(1);
        canvas.click(canvas.center(kFrontRun));
        QCOMPARE(canvas.stroke, canvas.nodesOf(kFrontRun));
        QCOMPARE(canvas.widget.scene().looks().strip(kFrontRun).size(), std::size_t{1});
    }

    void rectangleToolPaintsInOneStroke()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::rectangle);
        canvas.widget.setActiveTag(0);
        const QRectF area = canvas.widget.viewRectOf(kNorm).united(canvas.widget.viewRectOf(kValue));
        canvas.drag({area.topLeft().toPoint(), area.center().toPoint(), area.bottomRight().toPoint()});
        QCOMPARE(canvas.stroke.size(), std::size_t{4});
        QCOMPARE(canvas.widget.pictureStyle().tag(NodeId(9U)), 0);
    }

    void escapeGivesUpAStrokeThenClearsTheSelection()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        QSignalSpy cancelled(&canvas.widget, &CanvasWidget::strokeCancelled);
        QSignalSpy extended(&canvas.widget, &CanvasWidget::strokeExtended);
        QTest::mousePress(&canvas.widget, Qt::LeftButton, {}, canvas.center(kKey));
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QTest::mouseRelease(&canvas.widget, Qt::LeftButton, {}, canvas.center(kKey));
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(extended.size(), 1);
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QCOMPARE(canvas.selections, 1);
        QVERIFY(canvas.selected.empty());
    }
};

const test::Registered<CanvasPaintingTest> canvasPaintingTest("canvas_painting_test");
#include "canvas_painting_test.moc"
