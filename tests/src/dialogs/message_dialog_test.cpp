#include "dialogs/message_dialog.h"

#include "patience.h"
#include "test_case.h"

#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTest>

using namespace sunder;
using namespace sunder::test;

class MessageDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void returnDoesWhatIsOfferedFirst()
    {
        MessageDialog dialog("Title", "Headline", "Why", nullptr);
        QStringList done;
        dialog.offer("&Save", [&] { done += "saved"; });
        dialog.offer("Save &elsewhere", [&] { done += "elsewhere"; });
        dialog.offerLoss("&Discard", [&] { done += "lost"; });
        dialog.offerToLeave("Cancel");
        show(dialog);
        QVERIFY(dialog.button("Save")->isDefault() && dialog.button("Save")->hasFocus());
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(done, QStringList{"saved"});
        QVERIFY(!dialog.isVisible());
    }

    void whatLosesSomethingIsNeverDoneByReturn()
    {
        MessageDialog dialog("Title", "Headline", "Why", nullptr);
        bool isLost = false;
        dialog.offerLoss("&Overwrite", [&] { isLost = true; });
        dialog.offerToLeave("Cancel", true);
        show(dialog);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QVERIFY(!isLost && !dialog.isVisible());
        dialog.show();
        dialog.button("Overwrite")->click();
        QVERIFY(isLost && !dialog.isVisible());
    }

    void escapeLeavesAllAsItIs()
    {
        MessageDialog dialog("Title", "Headline", {}, nullptr);
        bool isDone = false;
        dialog.offer("Do it", [&] { isDone = true; });
        dialog.offerToLeave("Close");
        show(dialog);
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QVERIFY(!isDone && !dialog.isVisible());
        QVERIFY(dialog.button("nothing") == nullptr);
    }

    void longTextsWrapAndScrollAndAreNotCut()
    {
        const QString headline = QString("A long headline with a name ").repeated(8);
        MessageDialog dialog("Title", headline, QString("A line of many.\n").repeated(400), nullptr);
        dialog.offerToLeave("Close", true);
        show(dialog);
        const auto* shown = dialog.findChild<QLabel*>("headline");
        QVERIFY(shown->height() >= shown->heightForWidth(shown->width()));
        QVERIFY(dialog.height() <= dialog.screen()->availableGeometry().height());
        const auto* area = dialog.findChild<QScrollArea*>();
        QVERIFY(area->widget()->height() > area->viewport()->height()); // the rest is reached by scrolling
        QVERIFY(area->widget()->width() <= area->viewport()->width());
    }

    void shortExplanationsDoNotScroll()
    {
        MessageDialog dialog("Title", "Headline", QString("Some words of why it is so, and what to do next. ").repeated(4),
                             nullptr);
        dialog.offerToLeave("Close", true);
        show(dialog);
        const auto* area = dialog.findChild<QScrollArea*>();
        QVERIFY(area->widget()->height() <= area->viewport()->height());
    }

    void numbersKeepTheirUnits()
    {
        MessageDialog dialog("Title", "Headline", "Stored 2 times (+12.3 kB), in 5 ms: 3 % of 2 modules.", nullptr);
        QCOMPARE(dialog.findChild<QLabel*>("explanation")->text(),
                 QString::fromUtf8("Stored 2 times (+12.3\u00a0kB), in 5\u00a0ms: 3\u00a0% of 2 modules."));
        QCOMPARE(dialog.accessibleDescription(), QString("Stored 2 times (+12.3 kB), in 5 ms: 3 % of 2 modules."));
    }

    void markupIsShownAsItIs()
    {
        MessageDialog dialog("Title", "<b>x</b>", "<img src='file:///etc/passwd'>", nullptr);
        QCOMPARE(dialog.findChild<QLabel*>("headline")->textFormat(), Qt::PlainText);
        QCOMPARE(dialog.findChild<QLabel*>("explanation")->textFormat(), Qt::PlainText);
        QCOMPARE(dialog.headline(), QString("<b>x</b>"));
    }

private:
    static void show(MessageDialog& dialog)
    {
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog, kHangMs));
    }
};

const test::Registered<MessageDialogTest> messageDialogTest("message_dialog_test");
#include "message_dialog_test.moc"
