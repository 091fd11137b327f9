#include "dialogs/stages_dialog.h"
#include "test_case.h"

#include <QAbstractButton>
#include <QSpinBox>
#include <QTest>

using namespace sunder;

/// How many stages, and equal by what.
class StagesDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void asksForNoMoreStagesThanThereAreOps()
    {
        StagesDialog dialog(3);
        auto& count = *dialog.findChild<QSpinBox*>("count");
        count.setValue(100);
        QCOMPARE(dialog.count(), 3);
        count.setValue(0);
        QCOMPARE(dialog.count(), 1);
        StagesDialog none(0); // a model without ops
        none.findChild<QSpinBox*>("count")->setValue(5);
        QCOMPARE(none.count(), 1);
    }

    void whatIsTypedReplacesTheProposal()
    {
        StagesDialog dialog(100);
        dialog.show();
        auto& count = *dialog.findChild<QSpinBox*>("count");
        QTest::keyClicks(&count, "7");
        QCOMPARE(dialog.count(), 7);
    }

    void equalByBytesOrByOps()
    {
        StagesDialog dialog(100);
        const bool before = dialog.byBytes();
        for (QAbstractButton* button : dialog.findChildren<QAbstractButton*>())
            if (button->isCheckable() && !button->isChecked()) {
                button->click();
                break;
            }
        QCOMPARE(dialog.byBytes(), !before);
    }
};

const test::Registered<StagesDialogTest> stagesDialogTest("stages_dialog_test");
#include "stages_dialog_test.moc"
