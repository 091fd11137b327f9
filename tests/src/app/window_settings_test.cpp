#include "app/settings_command.h"
#include "app/workspace.h"
#include "canvas/gestures.h"
#include "canvas/motion.h"
#include "dialogs/keys_page.h"
#include "dialogs/settings_dialog.h"
#include "models/command_keys.h"
#include "panes/flow_settings.h"
#include "test_case.h"
#include "text/present_keys.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QTabWidget>
#include <QTreeWidget>

using namespace sunder;

/// Changes in the settings dialog take effect immediately, and everywhere else where the setting is shown.
class WindowSettingsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        showWindow();
        actions().settings->trigger();
        m_dialog = m_window->findChild<SettingsDialog*>();
        QVERIFY(m_dialog != nullptr);
    }
    void cleanup()
    {
        closeWindow();
        setPresentKeys({});
        QSettings().clear();
    }

    void choicesAreThoseOfTheMenus()
    {
        choose("columns", 1);
        QVERIFY(actions().oneColumn->isChecked());
        choose("direction", 1);
        QVERIFY(actions().toTheRight->isChecked());
        QVERIFY(wantedDirection() == FlowDirection::right);
        choose("wheel", 1);
        QVERIFY(actions().wheelMoves->isChecked());
        QVERIFY(Wheel::moves());
        choose("motion", 1);
        QVERIFY(!Motion::isReduced());
        choose("motion", 2);
        QVERIFY(Motion::isReduced());
        actions().wheelMoves->trigger(); // as the menu does
        QCOMPARE(box("wheel")->currentIndex(), 0);
        QVERIFY(!Wheel::moves());
    }

    void theDialogShowsWhatWasChosenWhenItComesAgain()
    {
        choose("start", 1);
        choose("look", 2);
        m_dialog->accept();
        test::handlePending();
        actions().settings->trigger();
        auto* again = m_window->findChild<SettingsDialog*>();
        QCOMPARE(again->findChild<QComboBox*>("start")->currentIndex(), 1);
        QCOMPARE(again->findChild<QComboBox*>("look")->currentIndex(), 2);
    }

    void keysThatArePressedAreTheCommands()
    {
        m_dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
        auto* rows = m_dialog->findChild<QTreeWidget*>("rows");
        const auto found = rows->findItems("Fit", Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(found.size(), 1);
        rows->setCurrentItem(found.front());
        auto* field = m_dialog->findChild<KeyField*>();
        QTest::keyClick(field, Qt::Key_T, Qt::ControlModifier);
        const auto* note = m_dialog->findChild<QLabel*>("note");
        QVERIFY2(note->text().contains("“Add a tag” (Paint)"), qPrintable(note->text()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(actions().fit->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_T));
        QVERIFY(actions().addTag->shortcuts().isEmpty());
        QVERIFY(actions().fit->toolTip().contains("Ctrl+T"));
        QTest::mouseClick(m_dialog->findChild<QPushButton*>("resetAll"), Qt::LeftButton);
        auto* question = m_dialog->findChild<MessageDialog*>();
        QVERIFY(question != nullptr);
        question->button("Reset all")->click();
        QTRY_COMPARE(actions().addTag->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_T));
    }

    void theFilterFindsCommandsByNameAndByKeys()
    {
        auto* filter = m_dialog->findChild<QLineEdit*>("filter");
        filter->setText("ctrl+shift+w");
        QCOMPARE(shownCommands(), QStringList{"Collapse all modules"});
        filter->setText("nosuchthing");
        QVERIFY(shownCommands().isEmpty());
        QVERIFY(m_dialog->findChild<QLabel*>("nothing")->text().contains("nosuchthing"));
    }

    void everyCommandHasANameOfItsOwnAndKeysOfItsOwn()
    {
        CommandKeys all;
        fillCommandKeys(all, *m_window);
        QSet<QString> names;
        QSet<QKeySequence> keys;
        for (const CommandKeys::Command& command : all.commands()) {
            QVERIFY2(!names.contains(command.action->objectName()), qPrintable(command.action->objectName()));
            names.insert(command.action->objectName());
            for (const QKeySequence& key : command.atFirst) {
                QVERIFY2(!keys.contains(key), qPrintable(key.toString()));
                QVERIFY(all.verdict(*command.action, key).kind == KeyVerdict::Kind::own);
                keys.insert(key);
            }
        }
        QVERIFY(names.size() > 60);
    }

private:
    QComboBox* box(const char* name) const { return m_dialog->findChild<QComboBox*>(name); }

    /// Emits the signal that only a user's choice emits.
    void choose(const char* name, int index) const
    {
        box(name)->setCurrentIndex(index);
        emit box(name)->activated(index);
    }

    QStringList shownCommands() const
    {
        QStringList shown;
        for (QTreeWidgetItemIterator at(m_dialog->findChild<QTreeWidget*>("rows"), QTreeWidgetItemIterator::NotHidden); *at; ++at)
            if ((*at)->parent() != nullptr && !(*at)->parent()->isHidden())
                shown << (*at)->text(0);
        return shown;
    }

    SettingsDialog* m_dialog = nullptr;
};

const test::Registered<WindowSettingsTest> windowSettingsTest("window_settings_test");
#include "window_settings_test.moc"
