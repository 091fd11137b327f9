#include "dialogs/support_dialog.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTreeView>

using namespace sunder;

/// "Tag by support…": ticks, breaks, the table of next operators, the preview, and the undo step.
class WindowSupportTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        writeModel("x = placeholder() : 8\n"
                   "a = aten.relu.default(x) : 8 @ one Block\n"
                   "b = aten.relu.default(a) : 8 @ one Block\n"
                   "c = aten.topk.default(b) : 8 @ two Other\n"
                   "d = aten.relu.default(c) : 8 @ three Block\n"
                   "e = aten.relu.default(d) : 8 @ three Block\n"
                   "output(e)\n");
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void ticksPreviewAndApplyAsOneStep()
    {
        SupportDialog& dialog = show();
        const QAbstractItemModelTester tester(table(dialog, "ops").model());
        QVERIFY2(summary(dialog).startsWith("Nothing is supported yet"), qPrintable(summary(dialog)));
        QVERIFY(!button(dialog, QDialogButtonBox::Ok).isEnabled());
        tick(dialog, "ops", "relu");
        QVERIFY2(summary(dialog).startsWith("3 parts"), qPrintable(summary(dialog)));
        QVERIFY2(summary(dialog).contains("4 ops of 5"), qPrintable(summary(dialog)));
        QCOMPARE(canvas().pictureStyle().tag(node("c")), 1); // in the graph, before it is applied
        QCOMPARE(document().tags()[node("c")], TagAssignment::kUntagged);
        QVERIFY(workspace().partitionDag().isVisible());
        const int steps = document().steps().count();
        press(dialog, QDialogButtonBox::Ok);
        QCOMPARE(document().steps().count(), steps + 1);
        QCOMPARE(document().tagName(document().tags()[node("c")]), QString("_run_on_cpu_1"));
        document().undo();
        QCOMPARE(document().tags()[node("c")], TagAssignment::kUntagged);
    }

    void aBreakSaysWhyAndSelectsItsOp()
    {
        SupportDialog& dialog = show();
        tick(dialog, "ops", "relu");
        const QTreeView& breaks = table(dialog, "breaks");
        const QAbstractItemModelTester tester(breaks.model());
        QCOMPARE(breaks.model()->rowCount(), 1);
        QCOMPARE(breaks.model()->index(0, 3).data().toString(), QString("Its operator is not supported."));
        QTest::mouseClick(breaks.viewport(), Qt::LeftButton, {}, breaks.visualRect(breaks.model()->index(0, 1)).center());
        QCOMPARE(document().marks().selection().source, std::vector<NodeId>{node("c")});
    }

    void theNextOperatorIsPreviewedByItsTick()
    {
        SupportDialog& dialog = show();
        tick(dialog, "ops", "relu");
        test::childOf<QTabWidget>(dialog, "pages").setCurrentIndex(1);
        settle();
        const QTreeView& next = table(dialog, "next");
        const QAbstractItemModelTester tester(next.model());
        QCOMPARE(next.model()->rowCount(), 1);
        QCOMPARE(next.model()->index(0, 1).data().toString(), QString("1")); // parts
        tick(dialog, "next", "topk");
        QVERIFY2(summary(dialog).startsWith("1 part"), qPrintable(summary(dialog)));
        QCOMPARE(next.model()->rowCount(), 1); // the table stays
        press(dialog, QDialogButtonBox::Cancel);
        QCOMPARE(document().tags()[node("c")], TagAssignment::kUntagged);
    }

    void aClassIsTickedThroughTheFilterByKeys()
    {
        SupportDialog& dialog = show();
        test::childOf<QComboBox>(dialog, "list").setCurrentIndex(1);
        auto& filter = test::childOf<QLineEdit>(dialog, "filter");
        QTest::keyClicks(&filter, "block");
        const QTreeView& ops = table(dialog, "ops");
        QCOMPARE(ops.model()->rowCount(), 1);
        QTest::keyClick(&filter, Qt::Key_Return); // does not apply
        QVERIFY(dialog.isVisible());
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Space);
        settle();
        QVERIFY2(summary(dialog).contains("4 ops of 5"), qPrintable(summary(dialog)));
        QCOMPARE(ops.model()->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }

    SupportDialog& show()
    {
        actions().support->trigger();
        settle();
        return test::childOf<SupportDialog>(*m_window);
    }

    static QTreeView& table(const SupportDialog& dialog, const char* name) { return test::childOf<QTreeView>(dialog, name); }
    static QString summary(const SupportDialog& dialog)
    {
        return test::childOf<QLabel>(dialog, "summary").text().replace(QChar::Nbsp, u' ');
    }
    static QPushButton& button(const SupportDialog& dialog, QDialogButtonBox::StandardButton which)
    {
        return *test::childOf<QDialogButtonBox>(dialog, "buttons").button(which);
    }

    /// Clicks the check box of the row whose name contains a word.
    void tick(const SupportDialog& dialog, const char* name, const char* word)
    {
        QTreeView& view = table(dialog, name);
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QModelIndex index = view.model()->index(row, 0);
            if (!index.data().toString().contains(word))
                continue;
            view.setCurrentIndex(index);
            QTest::keyClick(&view, Qt::Key_Space);
        }
        settle();
    }

    void press(const SupportDialog& dialog, QDialogButtonBox::StandardButton which)
    {
        QTest::mouseClick(&button(dialog, which), Qt::LeftButton);
        settle();
    }
};

const test::Registered<WindowSupportTest> windowSupportTest("window_support_test");
#include "window_support_test.moc"
