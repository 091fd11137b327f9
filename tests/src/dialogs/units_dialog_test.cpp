#include "dialogs/units_dialog.h"
#include "test_case.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

using namespace sunder;

/// The unit of pasted device figures.
class UnitsDialogTest final : public QObject {
    Q_OBJECT

private:
    static QString cell(UnitsDialog& dialog, int row, int column)
    {
        return dialog.findChild<QTreeWidget*>("rows")->topLevelItem(row)->text(column);
    }

private slots:
    void proposesAUnitAndShowsWhatComesOfIt()
    {
        UnitsDialog dialog("a\t80\t\t900\nb\t64 GiB\n");
        dialog.show();
        QCOMPARE(dialog.units(), (DeviceUnits{.memory = "GB", .bandwidth = "GB", .compute = "TFLOP/s"}));
        QCOMPARE(cell(dialog, 0, 1), QString("80 GB"));
        QCOMPARE(cell(dialog, 0, 2), QString("900 GB/s"));
        QCOMPARE(cell(dialog, 1, 1), QString("64 GiB"));
        QTest::keyClicks(dialog.findChild<QComboBox*>("memory"), "Mi");
        QCOMPARE(dialog.units().memory, std::string("MiB"));
        QCOMPARE(cell(dialog, 0, 1), QString("80 MiB"));
    }

    void asksForNothingThatIsSaid()
    {
        UnitsDialog dialog("Device\tMemory (GB)\tBandwidth\na\t80\t900\n");
        dialog.show();
        QVERIFY(!dialog.findChild<QComboBox*>("memory")->isVisible());
        QVERIFY(dialog.findChild<QComboBox*>("bandwidth")->isVisible());
        QCOMPARE(cell(dialog, 0, 1), QString("80 GB"));
    }

    void asksInWhichUnitComputeIs()
    {
        UnitsDialog dialog("GPU\tMemory (GB)\tFP16\tMemory bandwidth (TB/s)\nH100\t80\t989\t3.35\n");
        dialog.show();
        QVERIFY(dialog.findChild<QComboBox*>("compute")->isVisible());
        QVERIFY(!dialog.findChild<QComboBox*>("bandwidth")->isVisible());
        QVERIFY(dialog.findChild<QTreeWidget*>("rows")->isColumnHidden(2));
        QCOMPARE(cell(dialog, 0, 3), QString("3.35 TB/s"));
        QCOMPARE(cell(dialog, 0, 4), QString("989 TFLOP/s"));
    }

    void aUnitThatMakesThemTooLargeIsNotPasted()
    {
        UnitsDialog dialog("a\t85899345920\n");
        dialog.show();
        auto& memory = *dialog.findChild<QComboBox*>("memory");
        QCOMPARE(memory.currentData().toString(), QString("B"));
        memory.setCurrentIndex(memory.findData("GB"));
        const auto& buttons = *dialog.findChild<QDialogButtonBox*>("buttons");
        QVERIFY(!buttons.button(QDialogButtonBox::Ok)->isEnabled());
        memory.setCurrentIndex(memory.findData("B"));
        QVERIFY(buttons.button(QDialogButtonBox::Ok)->isEnabled());
    }
};

const test::Registered<UnitsDialogTest> unitsDialogTest("units_dialog_test");
#include "units_dialog_test.moc"
