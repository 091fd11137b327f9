#include "canvas/item_description.h"

#include "scene_sketch.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Tooltips of points in the picture.
class CanvasTooltipTest final : public QObject {
    Q_OBJECT

private slots:
    void anItemIsDescribedInItsPlace()
    {
        const test::SketchedScene sketch;
        const CanvasToolTip tip = toolTipAt(sketch.sight(), sketch.middleOf(sketch.closed), nullptr);
        QCOMPARE(tip.text, tooltipOf(sketch.scene, sketch.closed));
        QCOMPARE(tip.area, sketch.sight().viewRectOf(sketch.closed).toAlignedRect());
    }

    void anEdgeIsDescribedNearIt()
    {
        const test::SketchedScene sketch;
        const QRectF from = sketch.sight().viewRectOf(sketch.closed);
        const QRectF into = sketch.sight().viewRectOf(sketch.reader);
        const QPointF between((from.center().x() + into.center().x()) / 2, (from.bottom() + into.top()) / 2);
        const CanvasToolTip tip = toolTipAt(sketch.sight(), between + QPointF(3, 0), nullptr);
        QCOMPARE(tip.text, edgeTooltip(sketch.scene, 1));
        QVERIFY(tip.area.isNull());
    }

    void theGroundOfAFrameIsTheFrame()
    {
        const test::SketchedScene sketch;
        const QPointF ground = sketch.sight().viewRectOf(sketch.frame).bottomLeft() + QPointF(20, -20);
        QCOMPARE(toolTipAt(sketch.sight(), ground, nullptr).text, tooltipOf(sketch.scene, sketch.frame));
    }

    void aFrameHasTheInputsAndReadersOfWhatIsInside()
    {
        const test::SketchedScene sketch;
        const QString frame = tooltipOf(sketch.scene, sketch.frame);
        QVERIFY2(frame.contains("0 inputs, 1 user\n") || frame.contains("0 inputs, 1 user<"), qPrintable(frame));
        QVERIFY2(describeItem(sketch.scene, sketch.frame).contains("0 inputs, 1 user"), qPrintable(frame));
        const QString reader = tooltipOf(sketch.scene, sketch.reader);
        QVERIFY2(reader.contains("1 input, 0 users"), qPrintable(reader));
        QVERIFY2(reader.contains("also reads relu"), qPrintable(reader));
    }

    void anArrowSaysWhereItLeads()
    {
        const test::SketchedScene sketch;
        EdgeArrow arrow;
        arrow.rect = {10, 20, 30, 40};
        arrow.count = 3;
        const CanvasToolTip tip = toolTipAt(sketch.sight(), {15, 25}, &arrow);
        QVERIFY2(tip.text.startsWith(textOf(arrow)), qPrintable(tip.text));
        QCOMPARE(tip.area, QRect(10, 20, 30, 40));
    }

    void nothingIsSaidOfNothing()
    {
        const test::SketchedScene sketch;
        QVERIFY(toolTipAt(sketch.sight(), {20, 20}, nullptr).text.isEmpty());
    }
};

const test::Registered<CanvasTooltipTest> canvasTooltipTest("canvas_tooltip_test");
#include "canvas_tooltip_test.moc"
