#include "canvas/canvas_widget.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QMouseEvent>

using namespace sunder;

/// Strokes of the brush as undo steps.
class WindowStrokesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QSettings().clear();
        showWindow();
        openModel();
        document().painting().paint(std::array{node("fourth")}, 1);
        document().tagList().setActive(0);
        canvas().setTool(ToolKind::brush);
    }
    void cleanup() { closeWindow(); }

    void anEscapedStrokeCannotBeRedone()
    {
        const std::vector<std::int32_t> before = document().tags().tagOf;
        press("second");
        move("fourth");
        QVERIFY(document().tags().tagOf != before);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QCOMPARE(document().tags().tagOf, before);
        QVERIFY(!actions().redo->isEnabled());
        QCOMPARE(document().steps().count(), 1);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at("fourth"));
        actions().redo->trigger();
        QCOMPARE(document().tags().tagOf, before);
        actions().undo->trigger(); // undoes the step before the stroke
        QCOMPARE(document().tags()[node("fourth")], -1);
    }

    void aStrokeThatIsUndoneWhileDrawnCannotBeRedoneOnceEscaped()
    {
        const std::vector<std::int32_t> before = document().tags().tagOf;
        press("second");
        actions().undo->trigger();
        QCOMPARE(document().tags().tagOf, before);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at("second"));
        QCOMPARE(document().tags().tagOf, before);
        QVERIFY(!actions().redo->isEnabled());
        QCOMPARE(document().steps().count(), 1);
    }

    void stepsUndoneDuringAnEscapedStrokeCanBeRedone()
    {
        press("second");
        actions().undo->trigger();
        actions().undo->trigger(); // the step before the stroke
        QCOMPARE(document().tags()[node("fourth")], -1);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at("second"));
        QCOMPARE(document().tags()[node("fourth")], -1);
        actions().redo->trigger();
        QCOMPARE(document().tags()[node("fourth")], 1);
        QCOMPARE(document().tags()[node("second")], -1);
        QVERIFY(!actions().redo->isEnabled());
    }

    void aStrokeThatIsUndoneWhileDrawnGoesOn()
    {
        press("second");
        actions().undo->trigger();
        move("third");
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at("third"));
        QCOMPARE(document().tags()[node("third")], 0);
        QCOMPARE(document().steps().count(), 2);
        actions().undo->trigger();
        QCOMPARE(document().tags()[node("third")], -1);
        QCOMPARE(document().tags()[node("fourth")], 1);
    }

    void anEscapedStrokeLeavesTheModelSaved()
    {
        forgetChanges();
        press("second");
        QVERIFY(m_window->isWindowModified());
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(!m_window->isWindowModified());
    }

    void aStrokeThatChangesNothingKeepsTheStepBeforeIt()
    {
        document().tagList().setActive(1);
        press("fourth");
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QCOMPARE(document().tags()[node("fourth")], 1);
        QCOMPARE(document().steps().index(), 1);
    }

    void aFinishedStrokeIsOneStep()
    {
        press("second");
        move("third");
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at("third"));
        QCOMPARE(document().steps().count(), 2);
        document().painting().paint(std::array{node("first")}, 0); // not a part of the stroke
        QCOMPARE(document().steps().count(), 3);
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    QPoint at(const char* name) { return canvas().viewRectOf(canvas().scene().itemOf(node(name))).center().toPoint(); }
    void press(const char* name) { QTest::mousePress(&canvas(), Qt::LeftButton, {}, at(name)); }
    void move(const char* name)
    {
        QMouseEvent event(QEvent::MouseMove, at(name), canvas().mapToGlobal(at(name)), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas(), &event);
    }
};

const test::Registered<WindowStrokesTest> windowStrokesTest("window_strokes_test");
#include "window_strokes_test.moc"
