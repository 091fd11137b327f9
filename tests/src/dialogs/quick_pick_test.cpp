#include "dialogs/quick_pick.h"

#include "patience.h"
#include "test_case.h"

#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

using namespace sunder;

/// The list that is narrowed by typing: commands, tags, and accelerators.
class QuickPickTest final : public QObject {
    Q_OBJECT

private slots:
    void rowsHaveOneHeightBeforeAndAfterALetter()
    {
        QuickPick pick("Commands", {{.text = "Fit", .id = 0}, {.text = "Split by tags", .id = 1}, {.text = "Open", .id = 2}});
        pick.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pick, test::kHangMs));
        auto* list = pick.findChild<QTreeWidget*>();
        const auto height = [list] { return list->visualItemRect(list->topLevelItem(0)).height(); };
        const int before = height();
        QVERIFY2(before >= 22, qPrintable(QString::number(before)));
        QTest::keyClicks(pick.findChild<QLineEdit*>(), "s");
        QCOMPARE(height(), before);
    }

    void namesHaveTheirRoomBesideALongDetail()
    {
        QuickPick pick("Go to",
                       {{.text = "blocks.0.attention.attention_norm", .detail = "LayerNorm"},
                        {.text = "linear", .detail = QString("a detail longer than the dialog ").repeated(9)}});
        pick.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pick, test::kHangMs));
        auto* list = pick.findChild<QTreeWidget*>();
        QVERIFY(list->columnWidth(0) > pick.fontMetrics().horizontalAdvance("blocks.0.attention.attention_norm"));
        QVERIFY(list->columnWidth(1) >= list->viewport()->width() / 3);
    }
};

const test::Registered<QuickPickTest> quickPickTest("quick_pick_test");
#include "quick_pick_test.moc"
