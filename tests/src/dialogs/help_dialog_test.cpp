#include "dialogs/help_dialog.h"

#include "test_case.h"

#include <QDir>
#include <QListWidget>
#include <QTest>
#include <QTextBrowser>

using namespace sunder;

/// The documentation in the window.
class HelpDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void hasEveryPageOfTheDocumentation()
    {
        HelpDialog help;
        const QStringList files = QDir(QStringLiteral(SUNDER_SOURCE "/docs")).entryList({"*.md"}, QDir::Files);
        QCOMPARE(help.pages().count(), static_cast<int>(files.size()));
        for (int row = 0; row < help.pages().count(); ++row) {
            help.pages().setCurrentRow(row);
            QVERIFY2(help.page().toPlainText().startsWith(help.pages().item(row)->text()),
                     qPrintable(help.pages().item(row)->text()));
        }
    }

    void beginsWithTheContentsAndFollowsLinks()
    {
        HelpDialog help;
        help.setPage("index");
        QCOMPARE(help.pages().currentRow(), 0);
        help.setPage("first-cut");
        QCOMPARE(help.pages().currentRow(), 1);
        QVERIFY(!help.page().toMarkdown().contains("screenshots")); // pictures are omitted
        QVERIFY(help.page().toPlainText().contains("Export"));
        emit help.page().anchorClicked(QUrl("passes.md#split"));
        QCOMPARE(help.pages().currentItem()->data(Qt::UserRole).toString(), QString("passes"));
        emit help.page().anchorClicked(QUrl("../README.md")); // is not a page
        QCOMPARE(help.pages().currentItem()->data(Qt::UserRole).toString(), QString("passes"));
    }

    void isMadeOnceForAWindow()
    {
        QWidget window;
        HelpDialog::show("first-cut", window);
        HelpDialog::show("painting", window);
        QCOMPARE(window.findChildren<HelpDialog*>().size(), 1);
        QCOMPARE(window.findChild<HelpDialog*>()->pages().currentItem()->data(Qt::UserRole).toString(), QString("painting"));
    }
};

const test::Registered<HelpDialogTest> helpDialogTest("help_dialog_test");
#include "help_dialog_test.moc"
