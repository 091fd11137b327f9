#include "canvas_fixture.h"
#include "test_case.h"

#include <QAccessible>
#include <QSignalSpy>

using namespace sunder;
using namespace sunder::test;

/// Fill, wand, and eyedropper: the signals of the canvas for mouse and keyboard, and the preview of a fill.
class CanvasFillTest final : public QObject {
    Q_OBJECT

private slots:
    void theMousePointsOnceAnItem()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::fill);
        QSignalSpy pointed(&canvas.widget, &CanvasWidget::fillPointed);
        hover(canvas, canvas.center(kKey));
        hover(canvas, canvas.center(kKey) + QPoint(2, 2));
        QCOMPARE(pointed.size(), 1);
        QCOMPARE(pointed[0][0].value<std::vector<NodeId>>(), canvas.nodesOf(kKey));
        QCOMPARE(pointed[0][1].toString(), QString());
        hover(canvas, QPoint(2, kView.height() - 2));
        QCOMPARE(pointed.size(), 2);
        QVERIFY(pointed[1][0].value<std::vector<NodeId>>().empty());
    }

    void aModuleIsPointedAtByItsPath()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::fill);
        QSignalSpy pointed(&canvas.widget, &CanvasWidget::fillPointed);
        const QRectF frame = canvas.widget.viewRectOf(kLayer);
        hover(canvas, QPointF(frame.center().x(), frame.top() + 6).toPoint());
        QCOMPARE(pointed.size(), 1);
        QCOMPARE(pointed[0][1].toString(), QString::fromStdString(canvas.widget.scene().item(kLayer).key));
        QCOMPARE(pointed[0][0].value<std::vector<NodeId>>(), canvas.nodesOf(kLayer));
    }

    void aClickTakes()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::wand);
        QSignalSpy taken(&canvas.widget, &CanvasWidget::fillTaken);
        canvas.click(canvas.center(kKey));
        QCOMPARE(taken.size(), 1);
        QVERIFY(canvas.stroke.empty()); // the canvas only emits a signal
        QCOMPARE(canvas.selections, 0);
    }

    void keysPointAndTake()
    {
        Canvas canvas;
        canvas.widget.setCurrentItem(kKey);
        QSignalSpy pointed(&canvas.widget, &CanvasWidget::fillPointed);
        QSignalSpy taken(&canvas.widget, &CanvasWidget::fillTaken);
        QSignalSpy activated(&canvas.widget, &CanvasWidget::nodeActivated);
        canvas.widget.setTool(ToolKind::fill);
        QCOMPARE(pointed.size(), 1);
        QTest::keyClick(&canvas.widget, Qt::Key_Down);
        QCOMPARE(pointed.size(), 2);
        const std::vector<NodeId> next = pointed[1][0].value<std::vector<NodeId>>();
        QTest::keyClick(&canvas.widget, Qt::Key_Return);
        QCOMPARE(taken.size(), 1);
        QCOMPARE(taken[0][0].value<std::vector<NodeId>>(), next);
        QTest::keyClick(&canvas.widget, Qt::Key_Space);
        QCOMPARE(taken.size(), 2);
        QCOMPARE(activated.size(), 0);
    }

    void keysChooseWhatIsTaken()
    {
        Canvas canvas;
        QSignalSpy scopes(&canvas.widget, &CanvasWidget::fillScopeStepped);
        QSignalSpy widths(&canvas.widget, &CanvasWidget::fillWidthStepped);
        const double radius = canvas.widget.brushRadius();
        canvas.widget.setTool(ToolKind::fill);
        QTest::keyClick(&canvas.widget, Qt::Key_S);
        QTest::keyClick(&canvas.widget, Qt::Key_S, Qt::ShiftModifier);
        QTest::keyClick(&canvas.widget, Qt::Key_BracketRight);
        QTest::keyClick(&canvas.widget, Qt::Key_BracketLeft);
        QCOMPARE(scopes[0][0].toInt(), 1);
        QCOMPARE(scopes[1][0].toInt(), -1);
        QCOMPARE(widths[0][0].toInt(), 1);
        QCOMPARE(widths[1][0].toInt(), -1);
        QCOMPARE(canvas.widget.brushRadius(), radius);
    }

    void whatWouldBeTakenIsSeenAndSaid()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::fill);
        hover(canvas, canvas.center(kKey));
        const QImage before = canvas.widget.grab().toImage();
        canvas.widget.setFillPreview({.nodes = {NodeId(10U), NodeId(11U), NodeId(1U)},
                                      .color = Qt::darkGreen,
                                      .title = "all linear → stage 1",
                                      .amount = "3 ops",
                                      .legality = "adds 1 backward edge",
                                      .isWorse = true});
        const QImage during = canvas.widget.grab().toImage();
        QVERIFY(during != before);
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&canvas.widget);
        QVERIFY(accessible->text(QAccessible::Description).contains("all linear → stage 1; 3 ops; adds 1 backward edge"));
        canvas.widget.setFillPreview({});
        QCOMPARE(canvas.widget.grab().toImage(), before);
    }

    void aPreviewMarksWholeItemsAndThoseTakenInPart()
    {
        Canvas canvas;
        FillOverlay overlay;
        overlay.set({.nodes = {NodeId(1U), NodeId(10U)}, .color = Qt::red, .title = "two"});
        QCOMPARE(overlay.itemCount(canvas.widget.scene()), std::size_t{2}); // a run with one op of the fill, and an op
        overlay.set({});
        QCOMPARE(overlay.itemCount(canvas.widget.scene()), std::size_t{0});
    }

    void escapeForgetsThePickThenTheSelection()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::fill);
        hover(canvas, canvas.center(kKey));
        QSignalSpy cancelled(&canvas.widget, &CanvasWidget::fillCancelled);
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(canvas.selections, 0);
        QTest::keyClick(&canvas.widget, Qt::Key_Escape);
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(canvas.selections, 1);
    }

    void anotherToolForgetsThePick()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::fill);
        hover(canvas, canvas.center(kKey));
        QSignalSpy cancelled(&canvas.widget, &CanvasWidget::fillCancelled);
        canvas.widget.setTool(ToolKind::brush);
        QCOMPARE(cancelled.size(), 1);
    }

    void theEyedropperAsksForATag()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::eyedropper);
        QSignalSpy picked(&canvas.widget, &CanvasWidget::tagPicked);
        canvas.click(canvas.center(kKey));
        canvas.widget.setCurrentItem(kQuery);
        QTest::keyClick(&canvas.widget, Qt::Key_Return);
        canvas.click(QPoint(2, kView.height() - 2)); // the background
        QCOMPARE(picked.size(), 2);
        QCOMPARE(picked[0][0].value<std::vector<NodeId>>(), canvas.nodesOf(kKey));
        QCOMPARE(picked[1][0].value<std::vector<NodeId>>(), canvas.nodesOf(kQuery));
    }

    void spacePaintsTheCurrentItem()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::brush);
        canvas.widget.setActiveTag(1);
        canvas.widget.setCurrentItem(kKey);
        QTest::keyClick(&canvas.widget, Qt::Key_Space);
        QCOMPARE(canvas.stroke, canvas.nodesOf(kKey));
    }

    void spaceOfALassoPaintsTheSelection()
    {
        Canvas canvas;
        canvas.widget.setTool(ToolKind::lasso);
        canvas.widget.setActiveTag(1);
        canvas.widget.setSelectedNodes(std::array{NodeId(10U), NodeId(11U)});
        canvas.widget.setCurrentItem(kKey);
        QTest::keyClick(&canvas.widget, Qt::Key_Space);
        QCOMPARE(canvas.stroke, (std::vector{NodeId(10U), NodeId(11U)}));
    }

private:
    static void hover(Canvas& canvas, QPoint at)
    {
        QMouseEvent event(QEvent::MouseMove, at, canvas.widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&canvas.widget, &event);
    }
};

const test::Registered<CanvasFillTest> canvasFillTest("canvas_fill_test");
#include "canvas_fill_test.moc"
