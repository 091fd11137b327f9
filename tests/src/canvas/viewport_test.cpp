#include "canvas/viewport.h"

#include "test_case.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

using namespace sunder;

namespace {

constexpr QSize kSize(200, 100);

/// Grants and records all requests.
class OpenView final : public QWidget, private ViewportHost {
public:
    OpenView() { resize(kSize); }

    Viewport view{*this, *this};
    int fits = 0;
    std::vector<QRectF> painted;

    bool turn(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, at, {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        return view.wheel(event);
    }
    bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        return view.keyPressed(QKeyEvent(QEvent::KeyPress, key, modifiers));
    }
    bool release(Qt::Key key) { return view.keyReleased(QKeyEvent(QEvent::KeyRelease, key, Qt::NoModifier)); }
    static QMouseEvent mouse(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons buttons)
    {
        return {type, at, at, button, buttons, Qt::NoModifier};
    }
    /// Drags with the button down; true if the viewport accepted the press.
    bool drag(Qt::MouseButton button, QPointF from, QPointF to, bool onGround = false)
    {
        const bool taken = view.pressed(mouse(QEvent::MouseButtonPress, from, button, button), onGround);
        view.moved(mouse(QEvent::MouseMove, to, Qt::NoButton, button));
        view.released(mouse(QEvent::MouseButtonRelease, to, button, Qt::NoButton));
        return taken;
    }
    void paint()
    {
        painted.clear();
        QImage image(kSize, QImage::Format_RGB32);
        QPainter painter(&image);
        view.paint(painter, {.background = Qt::white, .paint = [this](QPainter&, const Camera&, const QRectF& part) {
                                 painted.push_back(part);
                             }});
    }

private:
    void zoomAt(QPointF at, double factor) override { view.setCamera(view.camera().zoomedAt(at, factor)); }
    void moveTo(const Camera& camera) override { view.setCamera(camera); }
    void fitAll() override { ++fits; }
};

} // namespace

class ViewportTest : public QObject {
    Q_OBJECT

private slots:
    void wheelZoomsAtTheCursor()
    {
        OpenView open;
        const QPointF under = open.view.camera().toScene(QPointF(30, 40));
        for (const Qt::KeyboardModifiers modifiers : {Qt::NoModifier, Qt::ControlModifier}) {
            const double before = open.view.camera().zoom();
            QVERIFY(open.turn({30, 40}, {0, 120}, modifiers));
            QCOMPARE(open.view.camera().zoom(), before * kZoomStep);
        }
        const QPointF now = open.view.camera().toScene(QPointF(30, 40));
        QVERIFY((now - under).manhattanLength() < 1e-9);
    }

    void altTurnsTheWheelAndItStillZooms()
    {
        OpenView open;
        open.turn({0, 0}, {-120, 0}, Qt::AltModifier);
        QCOMPARE(open.view.camera().zoom(), 1 / kZoomStep);
    }

    void shiftAndWheelMoveSideways()
    {
        OpenView open;
        open.turn({30, 40}, {0, 120}, Qt::ShiftModifier);
        QCOMPARE(open.view.camera(), Camera(QPointF(-60, 0), 1));
    }

    void middleButtonMovesThePicture()
    {
        OpenView open;
        QVERIFY(open.drag(Qt::MiddleButton, {10, 10}, {40, 25}));
        QCOMPARE(open.view.camera(), Camera(QPointF(-30, -15), 1));
        QVERIFY(!open.view.isPanning());
    }

    void leftButtonMovesItOnTheGroundOnly()
    {
        OpenView open;
        QVERIFY(!open.drag(Qt::LeftButton, {10, 10}, {40, 25}, false));
        QCOMPARE(open.view.camera(), Camera());
        QVERIFY(open.drag(Qt::LeftButton, {10, 10}, {40, 25}, true));
        QCOMPARE(open.view.camera(), Camera(QPointF(-30, -15), 1));
    }

    void spaceMakesTheLeftButtonAHand()
    {
        OpenView open;
        QVERIFY(open.press(Qt::Key_Space));
        QCOMPARE(open.view.cursor()->shape(), Qt::OpenHandCursor);
        QVERIFY(open.drag(Qt::LeftButton, {10, 10}, {40, 25}));
        QVERIFY2(!open.release(Qt::Key_Space), "it has moved something");
        QVERIFY(!open.view.cursor());
        QVERIFY(!open.drag(Qt::LeftButton, {10, 10}, {40, 25}));
    }

    void spaceAloneIsLeftToTheView()
    {
        OpenView open;
        QVERIFY2(!open.release(Qt::Key_Space), "it was pressed elsewhere");
        open.press(Qt::Key_Space);
        QVERIFY(open.release(Qt::Key_Space));
        open.press(Qt::Key_Space);
        open.view.releaseSpace();
        QVERIFY2(!open.release(Qt::Key_Space), "the keyboard went elsewhere");
    }

    void handMovesByWholePixels()
    {
        OpenView open;
        open.drag(Qt::MiddleButton, {10, 10}, {20.4, 9.4});
        QCOMPARE(open.view.camera(), Camera(QPointF(-10, 1), 1));
    }

    void keysZoomMoveAndFit()
    {
        OpenView open;
        QVERIFY(open.press(Qt::Key_Plus));
        QCOMPARE(open.view.camera().zoom(), kZoomStep);
        QVERIFY(open.press(Qt::Key_Minus));
        QCOMPARE(open.view.camera().zoom(), 1.0);
        QVERIFY(open.press(Qt::Key_F));
        QVERIFY(!open.press(Qt::Key_F, Qt::ControlModifier));
        QCOMPARE(open.fits, 1);
        const double before = open.view.camera().origin().y();
        QVERIFY(open.press(Qt::Key_PageDown));
        QCOMPARE(open.view.camera().origin().y() - before, 90.0);
        QVERIFY(!open.press(Qt::Key_A));
    }

    void movedFrameIsPaintedOnlyWhereItIsNew()
    {
        OpenView open;
        open.paint();
        QCOMPARE(open.painted, std::vector<QRectF>{QRectF(QPointF(), kSize)});
        open.paint();
        QVERIFY(open.painted.empty());
        open.drag(Qt::MiddleButton, {10, 10}, {10, 30});
        open.paint();
        QCOMPARE(open.painted.size(), 1U);
        QVERIFY(open.painted.front().height() <= 22);
        open.view.invalidate(QRectF(5, 5, 10, 10));
        open.paint();
        QCOMPARE(open.painted, std::vector<QRectF>{QRectF(5, 5, 10, 10)});
        open.view.invalidate();
        open.paint();
        QCOMPARE(open.painted, std::vector<QRectF>{QRectF(QPointF(), kSize)});
    }
};

const test::Registered<ViewportTest> viewportTest("viewport_test");
#include "viewport_test.moc"
