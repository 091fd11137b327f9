#include "canvas/gestures.h"

#include "test_case.h"

#include <QKeyEvent>
#include <QTest>

using namespace sunder;

/// Commands of keys in a canvas.
class KeyCommandsTest final : public QObject {
    Q_OBJECT

private:
    static QKeyEvent key(Qt::Key which, Qt::KeyboardModifiers modifiers = {}) { return {QEvent::KeyPress, which, modifiers}; }

private slots:
    void enterActivatesAndWithAltAllOfIt()
    {
        QCOMPARE(keyCommand(key(Qt::Key_Return)), KeyCommand::activate);
        QCOMPARE(keyCommand(key(Qt::Key_Enter, Qt::KeypadModifier)), KeyCommand::activate);
        QCOMPARE(keyCommand(key(Qt::Key_Return, Qt::AltModifier)), KeyCommand::activateAll);
    }

    void jGoesToWhatIsMarkedUnlessItIsAShortcut()
    {
        QCOMPARE(keyCommand(key(Qt::Key_J)), KeyCommand::nextRinged);
        QCOMPARE(keyCommand(key(Qt::Key_J, Qt::ShiftModifier)), KeyCommand::previousRinged);
        QCOMPARE(keyCommand(key(Qt::Key_J, Qt::ControlModifier)), std::nullopt);
    }

    void bracketsTakeLessAndMore()
    {
        QCOMPARE(keyCommand(key(Qt::Key_BracketLeft)), KeyCommand::narrower);
        QCOMPARE(keyCommand(key(Qt::Key_BracketRight)), KeyCommand::wider);
    }

    void sStepsThroughScopes()
    {
        QCOMPARE(keyCommand(key(Qt::Key_S)), KeyCommand::nextScope);
        QCOMPARE(keyCommand(key(Qt::Key_S, Qt::ShiftModifier)), KeyCommand::previousScope);
        QCOMPARE(keyCommand(key(Qt::Key_S, Qt::ControlModifier)), std::nullopt);
    }

    void otherKeysAreNotTaken()
    {
        QCOMPARE(keyCommand(key(Qt::Key_A)), std::nullopt);
        QCOMPARE(keyCommand(key(Qt::Key_Up)), std::nullopt);
        QCOMPARE(keyCommand(key(Qt::Key_Backspace)), KeyCommand::goUp);
        QCOMPARE(keyCommand(key(Qt::Key_Escape)), KeyCommand::escape);
    }

    void arrowsWalk()
    {
        QCOMPARE(walkDirection(key(Qt::Key_Up), FlowDirection::down), WalkDirection::producer);
        QCOMPARE(walkDirection(key(Qt::Key_Down), FlowDirection::down), WalkDirection::consumer);
        QCOMPARE(walkDirection(key(Qt::Key_Left), FlowDirection::down), WalkDirection::before);
        QCOMPARE(walkDirection(key(Qt::Key_Right), FlowDirection::down), WalkDirection::behind);
        QCOMPARE(walkDirection(key(Qt::Key_Home), FlowDirection::down), WalkDirection::first);
        QCOMPARE(walkDirection(key(Qt::Key_End), FlowDirection::down), WalkDirection::last);
        QCOMPARE(walkDirection(key(Qt::Key_Return), FlowDirection::down), std::nullopt);
        QCOMPARE(walkDirection(key(Qt::Key_Up), FlowDirection::right), WalkDirection::before);
        QCOMPARE(walkDirection(key(Qt::Key_Down), FlowDirection::right), WalkDirection::behind);
        QCOMPARE(walkDirection(key(Qt::Key_Left), FlowDirection::right), WalkDirection::producer);
        QCOMPARE(walkDirection(key(Qt::Key_Right), FlowDirection::right), WalkDirection::consumer);
    }

    void aWalkSelectsAddsOrLeavesTheSelection()
    {
        QCOMPARE(walkSelection(key(Qt::Key_Up)), SelectionMode::replace);
        QCOMPARE(walkSelection(key(Qt::Key_Up, Qt::ShiftModifier)), SelectionMode::add);
        QCOMPARE(walkSelection(key(Qt::Key_Up, Qt::ControlModifier)), std::nullopt);
        QCOMPARE(walkSelection(key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier)), std::nullopt);
    }
};

const test::Registered<KeyCommandsTest> keyCommandsTest("key_commands_test");
#include "key_commands_test.moc"
