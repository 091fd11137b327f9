#include "dialogs/keys_page.h"

#include "test_case.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

using namespace sunder;

class KeysDialogTest final : public QObject {
    Q_OBJECT
private slots:
    void showsGroupsWithTheirRows()
    {
        KeysDialog dialog(groups());
        QCOMPARE(dialog.rows().topLevelItemCount(), 2);
        QCOMPARE(dialog.rows().topLevelItem(0)->text(0), QString("File"));
        QCOMPARE(dialog.rows().topLevelItem(0)->child(0)->text(0), QString("Ctrl+O"));
        QCOMPARE(dialog.rows().topLevelItem(0)->child(0)->text(1), QString("Open…"));
    }

    void findsByKeyAndByWord()
    {
        KeysDialog dialog(groups());
        QTest::keyClicks(&dialog.filter(), "zoom");
        QVERIFY(dialog.rows().topLevelItem(0)->isHidden());
        QVERIFY(!dialog.rows().topLevelItem(1)->isHidden());
        dialog.filter().setText("ctrl+o");
        QVERIFY(!dialog.rows().topLevelItem(0)->isHidden());
        QVERIFY(!dialog.rows().topLevelItem(0)->child(0)->isHidden());
        QVERIFY(dialog.rows().topLevelItem(0)->child(1)->isHidden());
    }

    void saysWhenNothingMatches()
    {
        KeysDialog dialog(groups());
        dialog.filter().setText("nosuch");
        const auto labels = dialog.findChildren<QLabel*>();
        const auto statesSingleResult = [](const QLabel* label) { return label->text().contains("nosuch"); };
        QVERIFY(std::any_of(labels.begin(), labels.end(), statesSingleResult));
    }

private:
    static std::vector<KeyGroup> groups()
    {
        return {{"File", {{"Ctrl+O", "Open…"}, {"", "Close"}}}, {"In a graph", {{"Wheel", "zoom at the cursor"}}}};
    }
};

const test::Registered<KeysDialogTest> keysDialogTest("keys_dialog_test");
#include "keys_dialog_test.moc"
