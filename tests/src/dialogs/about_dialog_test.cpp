#include "dialogs/about_dialog.h"
#include "dialogs/crash_dialog.h"

#include "test_case.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>

using namespace sunder;

/// The text that is copied into a bug report.
class AboutDialogTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setApplicationVersion("1.2.3"); }
    void init() { QApplication::clipboard()->clear(); }

    void namesVersionsAndSystem()
    {
        AboutDialog dialog;
        const QString text = dialog.facts().text();
        for (const QString& line : {QString("Sunder: 1.2.3\n"), QString("\nQt: %1 ").arg(qVersion()), QString("\nGraphviz: "),
                                    QString("\nSystem: "), QString("\nWindow system: offscreen\n"), QString("\nScreen: ")})
            QVERIFY2(text.contains(line), qPrintable(line + " in " + text));
        QVERIFY(!text.contains("Graphviz: \n"));
        dialog.copyButton().click();
        QCOMPARE(QApplication::clipboard()->text().trimmed(), text);
    }

    void copiesReportsOfCrashes()
    {
        CrashDialog dialog("2026-11-23 Sunder crashed: SIGSEGV\n  <b>bold</b>\n");
        QCOMPARE(dialog.report().toPlainText(), QString("2026-11-23 Sunder crashed: SIGSEGV\n  <b>bold</b>\n"));
        dialog.copyButton().click();
        QCOMPARE(QApplication::clipboard()->text(), dialog.report().toPlainText());
    }

    void beginsWithTheNewestReport()
    {
        CrashDialog dialog("1 Sunder crashed: A\n  calls\n2 Sunder crashed: B\n  calls\n");
        QCOMPARE(dialog.report().textCursor().block().text(), QString("2 Sunder crashed: B"));
        QVERIFY(!dialog.report().textCursor().hasSelection());
    }
};

const test::Registered<AboutDialogTest> aboutDialogTest("about_dialog_test");
#include "about_dialog_test.moc"
