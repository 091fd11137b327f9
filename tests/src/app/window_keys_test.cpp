#include "app/actions.h"
#include "app/key_groups.h"
#include "panels/notice_bar.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>

using namespace sunder;

/// The list of shortcuts matches the commands.
class WindowKeysTest final : public test::WindowFixture {
    Q_OBJECT

private:
    /// Records which Alt+letter opens or presses what.
    static void note(QMap<QChar, QStringList>& letters, const QString& text)
    {
        static const QRegularExpression mnemonic("&(\\w)");
        if (const auto match = mnemonic.match(text); match.hasMatch())
            letters[match.captured(1)[0].toUpper()] << text;
    }

    void writeCrashLog() const
    {
        QFile file(m_folder.filePath("crashes.log"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("2026-11-23 07:57:40 UTC Sunder crashed: SIGSEGV, invalid memory access (process 1)\n  Sunder: 1\n");
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void everyCommandOfTheMenusIsListedWithItsKeys()
    {
        QStringList listed;
        for (const KeyGroup& group : keyGroups(*m_window->menuBar()))
            for (const KeyGroup::Row& row : group.rows)
                listed << row.keys + "|" + row.does;
        QVERIFY(listed.size() > 40);
        QVERIFY(listed.contains("F, Ctrl+0|Fit"));
        QVERIFY(listed.contains("Ctrl+Shift+F|Reset view"));
        QVERIFY(listed.contains("Wheel|zoom at the cursor"));
        for (const QString& row : listed) {
            QVERIFY2(!row.contains('&') && !row.endsWith('|'), qPrintable(row));
            QVERIFY2(listed.count(row) == 1, qPrintable(row));
        }
    }

    void aLetterWithAltMeansOneThing()
    {
        // Bars can be shown at the same time. "Recover" and "Reload" once had the same mnemonic, so that neither was pressed.
        QMap<QChar, QStringList> letters;
        for (const QAction* menu : m_window->menuBar()->actions())
            note(letters, menu->text());
        writeCrashLog();
        m_window->offerCrashReports(m_folder.filePath("crashes.log"));
        const DiskChange change{.path = m_model, .what = "It was written to."};
        emit diskNotices().watch().found(WatchedFile::model, change);
        notice("projectNotice")
            .show({.headline = {}, .text = {}, .tip = {}, .offers = {{tr("Open pro&ject"), {}}, {tr("&Not now"), {}}}});
        notice("recoveryNotice")
            .show({.headline = {},
                   .text = {},
                   .tip = {},
                   .offers = {{tr("Re&cover"), {}}, {tr("&Discard"), {}}, {tr("&Later"), {}}}});
        for (const QPushButton* button : m_window->findChildren<QPushButton*>())
            note(letters, button->text());
        for (const char* bar : {"crashNotice", "modelNotice", "projectNotice", "recoveryNotice"})
            QVERIFY2(!notice(bar).isHidden(), bar);
        for (const QStringList& texts : letters)
            QVERIFY2(texts.size() == 1, qPrintable(texts.join(" | ")));
    }
};

const test::Registered<WindowKeysTest> windowKeysTest("window_keys_test");
#include "window_keys_test.moc"
