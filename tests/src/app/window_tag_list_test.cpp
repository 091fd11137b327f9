#include "app/actions.h"
#include "canvas/canvas_widget.h"
#include "dialogs/device_preset_dialog.h"
#include "dialogs/quick_pick.h"
#include "panels/devices_panel.h"
#include "panels/steps_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>

using namespace sunder;

/// Commands for tags and steps in the window, by shortcut.
class WindowTagListTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void aTagIsChosenByLettersOfItsName()
    {
        for (int more = 0; more < 12; ++more)
            document().tagList().add();
        document().tagList().add("rear axle");
        document().tagList().setActive(0);
        key(Qt::Key_T);
        auto* pick = m_window->findChild<QuickPick*>();
        QVERIFY(pick != nullptr);
        auto* field = pick->findChild<QLineEdit*>();
        QTest::keyClicks(field, "rax");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().tagName(document().activeTag()), QString("rear axle"));
    }

    void protectionIsToggledByItsKeyAndSaid()
    {
        document().painting().paint(std::array{node("first")}, 0);
        key(Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(document().tagState().protectsTagged);
        QVERIFY(actions().protectTags->isChecked());
        document().tagList().setActive(1);
        document().marks().select({node("first")});
        QSignalSpy said(&document(), &Document::messageEmitted);
        actions().paintSelection->trigger();
        QCOMPARE(document().tags()[node("first")], 0);
        QCOMPARE(said.back()[0].toString(), QString("1 op keeps its tag: painted ops are protected."));
        key(Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(!document().tagState().protectsTagged);
    }

    void theActiveTagIsLockedHiddenAndMergedByCommands()
    {
        document().painting().paint(std::array{node("first")}, 0);
        document().tagList().setActive(0);
        key(Qt::Key_L, Qt::ControlModifier);
        QVERIFY(document().tagTraits()[0].isLocked && actions().lockTag->isChecked());
        QVERIFY(!actions().mergeTag->isEnabled());
        key(Qt::Key_L, Qt::ControlModifier);
        key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(document().tagTraits()[0].isHidden && actions().hideTag->isChecked());
        QCOMPARE(sourcePane().canvas().scene().style().tags[0].style.color,
                 faintStyle(*sourcePane().canvas().scene().style().theme).color);
        actions().showAllTags->trigger();
        QVERIFY(!document().tagTraits()[0].isHidden);
        actions().mergeTag->trigger();
        QTest::keyClick(m_window->findChild<QuickPick*>()->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(document().tagCount(), 1);
        QCOMPARE(document().tags()[node("first")], 0);
    }

    void stepsAreReachedByTheirKeyAndGoneTo()
    {
        document().painting().paint(std::array{node("first")}, 0);
        document().painting().paint(std::array{node("first")}, 1);
        key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QListView& rows = m_window->findChild<StepsPanel*>()->view();
        QTRY_VERIFY(rows.hasFocus());
        QTest::keyClick(&rows, Qt::Key_Home);
        QCOMPARE(document().tags()[node("first")], 1); // selecting a step does not go to it
        QTest::keyClick(&rows, Qt::Key_Return);
        QCOMPARE(document().tags()[node("first")], -1);
        QVERIFY(actions().redo->isEnabled() && !actions().undo->isEnabled());
    }

    void aPresetOfAcceleratorsIsAddedByItsName()
    {
        emit m_window->findChild<DevicesPanel*>()->presetsWanted();
        auto* dialog = m_window->findChild<DevicePresetDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QSpinBox*>("count")->setValue(4);
        QTest::keyClicks(dialog->findChild<QLineEdit*>("field"), "h100sxm");
        QCOMPARE(dialog->findChild<QTreeWidget*>("rows")->topLevelItemCount(), 1);
        QTest::keyClick(dialog->findChild<QLineEdit*>("field"), Qt::Key_Return);
        QTRY_COMPARE(document().devices().list().size(), std::size_t(4));
        QCOMPARE(document().devices().list()[3].name, std::string("H100 SXM 3"));
        QCOMPARE(document().devices().list()[3].logicalId, std::int64_t(3));
    }

private:
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_window.get(), key, modifiers); }
};

const test::Registered<WindowTagListTest> windowTagListTest("window_tag_list_test");
#include "window_tag_list_test.moc"
