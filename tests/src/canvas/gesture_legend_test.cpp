#include "canvas/gesture_legend.h"

#include "canvas/label_painter.h"
#include "canvas/picture_fonts.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

class GestureLegendTest : public QObject {
    Q_OBJECT

private:
    using Press = GestureLegend::Press;

    static GestureLegend placed(QSizeF view)
    {
        GestureLegend legend;
        legend.setVisible(true);
        legend.place(CanvasScene(), Camera(), view);
        return legend;
    }

private slots:
    void prefersTheLowerLeftCorner()
    {
        const GestureLegend legend = placed({800, 600});
        QVERIFY(legend.rect().left() < 20);
        QVERIFY(legend.rect().bottom() > 580);
    }

    void hasNoPlaceInASmallView()
    {
        GestureLegend legend = placed({400, 200});
        QVERIFY(legend.rect().isEmpty());
        QCOMPARE(legend.pressed({20, 180}), Press::beside);
    }

    void keepsPressesFromThePicture()
    {
        GestureLegend legend = placed({800, 600});
        QCOMPARE(legend.pressed(legend.rect().center()), Press::inside);
        QCOMPARE(legend.pressed({790, 10}), Press::beside);
    }

    void saysWhatTheToolDoesInItsCorner()
    {
        GestureLegend legend = placed({800, 600});
        const QRectF before = legend.rect();
        const std::size_t rows = legend.rows().size();
        legend.setTool(ToolKind::fill);
        QVERIFY(std::ranges::none_of(legend.rows(), [](const Gesture& row) { return QString(row.does) == "pan"; }));
        QCOMPARE(legend.rect().bottomLeft(), before.bottomLeft());
        QVERIFY(legend.rows().size() < rows && legend.rect().height() < before.height());
        legend.setTool(ToolKind::pan);
        QCOMPARE(legend.rect(), before);
    }

    void everyToolThatPaintsSaysHowWithoutAMouse()
    {
        for (const ToolKind tool : {ToolKind::brush, ToolKind::eraser, ToolKind::rectangle, ToolKind::lasso, ToolKind::fill,
                                    ToolKind::wand, ToolKind::eyedropper})
            QVERIFY(
                std::ranges::any_of(legendOf(tool), [](const Gesture& row) { return QString(row.keys).startsWith("Arrows"); }));
    }

    void staysInItsCornerWhenTheViewGetsLower()
    {
        GestureLegend legend = placed({800, 600});
        const QRectF before = legend.rect();
        legend.stay({800, 560});
        QCOMPARE(legend.rect(), before.translated(0, -40));
        legend.stay({800, 100}); // no room
        QVERIFY(legend.rect().isEmpty());
        legend.stay({800, 600});
        QCOMPARE(legend.rect(), before);
    }

    void noWordsAreCutNorUnderTheCross()
    {
        const QFont& font = pictureFonts().detail;
        for (const ToolKind tool : {ToolKind::select, ToolKind::brush, ToolKind::eraser, ToolKind::rectangle, ToolKind::lasso,
                                    ToolKind::fill, ToolKind::wand, ToolKind::eyedropper}) {
            double room = GestureLegend::roomForWords() - 14; // next to the close button
            for (const Gesture& row : legendOf(tool)) {
                QVERIFY2(LabelPainter::width(QString::fromUtf8(row.does), font, 1.1) <= room, row.does);
                room = GestureLegend::roomForWords();
            }
        }
    }

    void crossDismissesIt()
    {
        GestureLegend legend = placed({800, 600});
        QCOMPARE(legend.pressed(legend.rect().topRight() + QPointF(-14, 14)), Press::dismissed);
        QCOMPARE(legend.pressed(legend.rect().center()), Press::beside);
        legend.setVisible(true);
        QCOMPARE(legend.pressed(legend.rect().center()), Press::inside);
    }
};

const test::Registered<GestureLegendTest> gestureLegendTest("gesture_legend_test");
#include "gesture_legend_test.moc"
