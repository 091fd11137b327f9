#include "dialogs/program_dialog.h"
#include "test_case.h"

#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace sunder;

/// Choosing one of several programs to open.
class ProgramDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void proposesTheOneOfLastTimeElseModelElseTheFirst()
    {
        QCOMPARE(ProgramDialog("m.pt2", kThree, "decode").program(), QString("decode"));
        QCOMPARE(ProgramDialog("m.pt2", kThree, "gone").program(), QString("model"));
        QCOMPARE(ProgramDialog("m.pt2", kThree, {}).program(), QString("model"));
        QCOMPARE(ProgramDialog("m.pt2", {kThree[0], kThree[2]}, {}).program(), QString("prefill"));
    }

    void saysHowLargeEachIs()
    {
        ProgramDialog dialog("m.pt2", kThree, {});
        const QTreeWidget& list = dialog.list();
        QCOMPARE(list.topLevelItemCount(), 3);
        QCOMPARE(list.topLevelItem(0)->text(2), QString("unknown"));
        QVERIFY2(list.topLevelItem(1)->text(2).startsWith("2.0 "), qPrintable(list.topLevelItem(1)->text(2)));
    }

    void opensByADoubleClickOrReturn()
    {
        ProgramDialog dialog("m.pt2", kThree, {});
        dialog.show();
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        dialog.list().setCurrentItem(dialog.list().topLevelItem(2));
        emit dialog.list().itemActivated(dialog.list().currentItem(), 0);
        QCOMPARE(accepted.size(), 1);
        QCOMPARE(dialog.program(), QString("decode"));
    }

    void namesAreShownAsTheyAreAndGivenBackWhole()
    {
        const std::string strange = "a\u202Eb" + std::string(200, 'x');
        ProgramDialog dialog("m.pt2", {{.name = strange, .graphBytes = 1}}, {});
        QCOMPARE(dialog.program().toStdString(), strange);
        QVERIFY(!dialog.list().topLevelItem(0)->text(0).contains(QChar(0x202E)));
    }

private:
    const std::vector<Pt2ProgramEntry> kThree{{.name = "prefill", .graphBytes = 1000},
                                              {.name = "model", .graphBytes = 2000, .weightBytes = 2'000'000},
                                              {.name = "decode", .graphBytes = 3000, .weightBytes = 0}};
};

const test::Registered<ProgramDialogTest> programDialogTest("program_dialog_test");
#include "program_dialog_test.moc"
