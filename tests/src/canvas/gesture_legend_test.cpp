#include "canvas/gesture_legend.h"

#include "canvas/label_painter.h"
#include "canvas/picture_style.h"
#include "synthetic_picture.h"
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

    void coversNoItem_data()
    {
        QTest::addColumn<QSizeF>("view");
        for (const QSizeF view : {QSizeF(520, 420), QSizeF(700, 500), QSizeF(800, 600), QSizeF(1400, 800)})
            QTest::addRow("%gx%g", view.width(), view.height()) << view;
    }

    void coversNoItem()
    {
        QFETCH(const QSizeF, view);
        for (int column = 0; column < 12; ++column) { // a column of items, further and further to the right
            test::Sketch sketch;
            for (int row = 0; row < 12; ++row)
                sketch.op({static_cast<float>(column) * 60, static_cast<float>(row) * 60, 120, 34}, {}, "relu",
                          "relu_" + std::to_string(row), "8");
            CanvasScene scene;
            scene.editStyle() = {};
            scene.setPicture(scenePictureOf(std::make_shared<const Picture>(sketch.finish({1600, 1000}))));
            GestureLegend legend;
            legend.setVisible(true);
            legend.place(scene, Camera(), view);
            QVERIFY(legend.rect().isEmpty() || scene.closedItemsIn(Camera().toScene(legend.rect())).empty());
            if (view.width() > 700)
                QVERIFY(!legend.rect().isEmpty());
            legend.stay(scene, Camera({0, 0}, 0.8), view); // another zoom, then a resize
            QVERIFY(legend.rect().isEmpty() || scene.closedItemsIn(Camera({0, 0}, 0.8).toScene(legend.rect())).empty());
        }
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
        legend.stay(CanvasScene(), Camera(), {800, 560});
        QCOMPARE(legend.rect(), before.translated(0, -40));
        legend.stay(CanvasScene(), Camera(), {800, 100}); // no room
        QVERIFY(legend.rect().isEmpty());
        legend.stay(CanvasScene(), Camera(), {800, 600});
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
