#include "canvas/motion.h"
#include "canvas/picture_transition.h"
#include "canvas_fixture.h"
#include "sketched_picture.h"
#include "test_case.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

constexpr QSizeF kGlideView(600, 600);
const Camera kGlideCamera({0, 0}, 1);

ScenePicturePtr shown(Sketch& sketch)
{
    return scenePictureOf(std::make_shared<const Picture>(sketch.finish({600, 600})));
}

/// An op, a closed module of two ops, and an op; the module is open in the other picture.
ScenePicturePtr closedLayer()
{
    Sketch sketch;
    sketch.op({100, 20, 120, 40}, {}, "embedding", "embedding", "8");
    sketch.module({100, 120, 160, 60}, "layers.0", "Layer", "2 ops", 2);
    sketch.op({100, 240, 120, 40}, {}, "add", "add", "8");
    return shown(sketch);
}

ScenePicturePtr openLayer()
{
    Sketch sketch;
    sketch.op({100, 20, 120, 40}, {}, "embedding", "embedding", "8");
    const ItemId frame = sketch.frame({80, 120, 300, 200}, "layers.0", "Layer", "2 ops");
    sketch.op({100, 160, 120, 40}, frame, "mul", "mul", "8");
    sketch.op({100, 240, 120, 40}, frame, "relu", "relu", "8");
    sketch.op({100, 400, 120, 40}, {}, "add", "add", "8");
    return shown(sketch);
}

ScenePicturePtr ops(int count, float left)
{
    Sketch sketch;
    for (int i = 0; i < count; ++i)
        sketch.op({left, 1.2F * float(i), 100, 1}, {}, "relu", "relu", "8");
    return shown(sketch);
}

/// The transition from one picture to another under one camera.
struct Glide {
    Glide(ScenePicturePtr from, ScenePicturePtr to)
    {
        before.setPicture(std::move(from));
        after.setPicture(std::move(to));
        transition.prepare({before, kGlideCamera}, {after, kGlideCamera}, kGlideView);
    }
    [[nodiscard]] QRectF at(std::uint32_t item, double progress) const
    {
        return transition.placeOf(ItemId(item), progress).value_or(QRectF());
    }

    CanvasScene before;
    CanvasScene after;
    PictureTransition transition;
};

} // namespace

class PictureTransitionTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        Motion::setSystemReduced(false);
    }
    void cleanup() { Motion::setSystemReduced(true); }

    void whatStaysGlidesFromWhereItWas()
    {
        const Glide glide(closedLayer(), openLayer());
        QCOMPARE(glide.at(4, 0), QRectF(100, 240, 120, 40));
        QCOMPARE(glide.at(4, 0.5), QRectF(100, 320, 120, 40));
        QCOMPARE(glide.at(4, 1), QRectF(100, 400, 120, 40));
        QCOMPARE(glide.at(0, 0.5), QRectF(100, 20, 120, 40));
    }

    void boxGrowsIntoItsFrame()
    {
        const Glide glide(closedLayer(), openLayer());
        QCOMPARE(glide.at(1, 0), QRectF(100, 120, 160, 60));
        QCOMPARE(glide.at(1, 1), QRectF(80, 120, 300, 200));
    }

    void whatWasInTheBoxComesOutOfIt()
    {
        const Glide glide(closedLayer(), openLayer());
        QCOMPARE(glide.at(2, 0).center(), QRectF(100, 120, 160, 60).center());
        QCOMPARE(glide.at(2, 0).size(), QSizeF(120, 40));
        QCOMPARE(glide.at(2, 1), QRectF(100, 160, 120, 40));
    }

    void frameShrinksIntoItsBox()
    {
        const Glide glide(openLayer(), closedLayer());
        QCOMPARE(glide.at(1, 0), QRectF(80, 120, 300, 200));
        QCOMPARE(glide.at(1, 1), QRectF(100, 120, 160, 60));
        QCOMPARE(glide.at(2, 0), QRectF(100, 400, 120, 40));
    }

    void nothingMovesWhereNothingMoved()
    {
        QVERIFY(Glide(openLayer(), openLayer()).transition.isEmpty());
        QVERIFY(Glide(ops(0, 0), openLayer()).transition.isEmpty());
        QVERIFY(Glide(openLayer(), ops(0, 0)).transition.isEmpty());
    }

    void moreThanCanBePaintedInTimeIsThereAtOnce()
    {
        constexpr int most = int(PictureTransition::kMaxMoving);
        QVERIFY(!Glide(ops(most, 0), ops(most, 50)).transition.isEmpty());
        QVERIFY(Glide(ops(most + 1, 0), ops(most, 50)).transition.isEmpty());
        QVERIFY(Glide(ops(most, 0), ops(most + 1, 50)).transition.isEmpty());
    }

    void middleOfTheWayIsPainted()
    {
        const Glide glide(closedLayer(), openLayer());
        const QImage start = painted(glide, 0);
        const QImage middle = painted(glide, 0.5);
        const QImage end = painted(glide, 1);
        const QPoint titleOfAdd(160, 420);
        QVERIFY(start.pixelColor(120, 250) != theme(false).canvas);
        QVERIFY(middle != start && middle != end);
        QCOMPARE(start.pixelColor(titleOfAdd), theme(false).canvas);
        QVERIFY(end.pixelColor(titleOfAdd) != theme(false).canvas);
    }

    void canvasGlidesAndArrives()
    {
        Canvas canvas;
        canvas.widget.setPicture(closedLayer());
        canvas.widget.setPicture(openLayer());
        QVERIFY(canvas.widget.isGliding());
        QTRY_VERIFY(!canvas.widget.isGliding());
    }

    void handIsFasterThanTheMovement()
    {
        Canvas canvas;
        canvas.widget.setPicture(closedLayer());
        canvas.widget.setPicture(openLayer());
        QVERIFY(canvas.widget.isGliding());
        canvas.widget.setCamera(canvas.widget.camera().zoomedAt({10, 10}, 1.5));
        QVERIFY(!canvas.widget.isGliding());
    }

    void reducedMotionIsNone()
    {
        Motion::setSystemReduced(true);
        Canvas canvas;
        canvas.widget.setPicture(closedLayer());
        canvas.widget.setPicture(openLayer());
        QVERIFY(!canvas.widget.isGliding());
    }

private:
    static QImage painted(const Glide& glide, double progress)
    {
        QImage image(kGlideView.toSize(), QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        const PaintContext context{.picture = glide.after.picture(),
                                   .style = glide.after.style(),
                                   .looks = glide.after.looks(),
                                   .camera = kGlideCamera,
                                   .view = QRectF(QPointF(), kGlideView)};
        glide.transition.paint(painter, context, glide.after.index(), progress);
        return image;
    }

    QTemporaryDir m_folder;
};

const test::Registered<PictureTransitionTest> pictureTransitionTest("picture_transition_test");
#include "picture_transition_test.moc"
