#include "dialogs/message_dialog.h"
#include "panels/problems_panel.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QListView>
#include <QToolButton>

using namespace sunder;

/// Problems of the tags: reached with keys, and repaired all at once.
class WindowRepairsTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void keysLeadFromProblemToProblem()
    {
        paintAMess();
        const QListView& list = m_window->problemsPanel().view();
        const int rows = list.model()->rowCount();
        QVERIFY(rows >= 2);
        m_window->actions().nextProblem->trigger();
        QCOMPARE(list.currentIndex().row(), 0);
        QCOMPARE(document().selection().source, document().problems()[0].nodes);
        m_window->actions().nextProblem->trigger();
        QCOMPARE(list.currentIndex().row(), 1);
        m_window->actions().problemBefore->trigger();
        m_window->actions().problemBefore->trigger();
        QCOMPARE(list.currentIndex().row(), rows - 1); // round and round
    }

    void repairAllAsksWithItsPriceAndIsOneStep()
    {
        paintAMess();
        const TagAssignment before = document().tags();
        const int steps = document().undoStack().index();
        auto* button = m_window->problemsPanel().findChild<QToolButton*>("repairAll");
        QVERIFY(button->isVisible());
        button->click();
        QTRY_VERIFY(m_window->findChild<MessageDialog*>() != nullptr);
        auto* box = m_window->findChild<MessageDialog*>();
        QVERIFY2(box->explanation().contains("would get another tag"), qPrintable(box->explanation()));
        QCOMPARE(document().tags().tagOf, before.tagOf);
        box->button("Repair")->click();
        QTRY_COMPARE(document().undoStack().index(), steps + 1);
        QVERIFY2(document().undoStack().undoText().startsWith("Repair all"), qPrintable(document().undoStack().undoText()));
        QVERIFY(document().problems().empty());
        QVERIFY(!button->isVisible());
        document().undoStack().undo();
        QCOMPARE(document().tags().tagOf, before.tagOf);
        QCOMPARE(document().tags().order, before.order);
    }

private:
    /// Two halves, with an op of the second in the first, one untagged, and a tag that nobody has.
    void paintAMess()
    {
        openModel();
        document().tagInStages(2, StageMeasure::nodes);
        document().addTag();
        const NodeId early = call(2);
        const NodeId none = call(9);
        document().paint({&early, 1}, 1);
        document().erase({&none, 1});
    }
};

const test::Registered<WindowRepairsTest> windowRepairsTest("window_repairs_test");
#include "window_repairs_test.moc"
