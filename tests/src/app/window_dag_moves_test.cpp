#include "dialogs/message_dialog.h"
#include "panes/partition_dag/move_trial.h"
#include "panes/partition_dag/part_mover.h"
#include "partition_fixture.h"
#include "test_case.h"

using namespace sunder;

/// Moving ops between parts in the Partition DAG: previews, and the effect on tags.
class WindowDagMovesTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void droppingANodePaintsAPartitionWithTheMove()
    {
        partition();
        const NodeId last = measure()->nodesOf(0).back();
        const int steps = document().steps().index();
        dragOver({last}, box(1), false);
        QVERIFY(mover().card().isVisible());
        QVERIFY2(mover().card().text().contains("Legal"), qPrintable(mover().card().text()));
        dragOver({measure()->nodesOf(0).front()}, box(2), false);
        QVERIFY2(mover().card().text().contains("comes after"), qPrintable(mover().card().text()));
        QCOMPARE(document().steps().index(), steps);
        dragOver({last}, box(1), true);
        QVERIFY(!mover().card().isVisible());
        QCOMPARE(document().steps().index(), steps + 1);
        QCOMPARE(document().tagCount(), 3);
        QCOMPARE(document().tags()[last], 1);
        QVERIFY2(dagNotice().contains("now your tags"), qPrintable(dagNotice()));
        QTest::mouseClick(&dagButton(), Qt::LeftButton); // splits by the new tags
        QTRY_VERIFY(!document().runs().shownSplit()->plan);
        QTRY_COMPARE(view().content().boxes.size(), 3U);
    }

    void theBannerGoesAndComesWithItsStep()
    {
        partition();
        dragOver({measure()->nodesOf(0).back()}, box(1), true);
        const QString banner = dagNotice();
        QVERIFY2(banner.contains("now your tags"), qPrintable(banner));
        actions().undo->trigger();
        QVERIFY2(dagNotice().isEmpty(), qPrintable(dagNotice()));
        QVERIFY(!dagButton().isVisible());
        actions().redo->trigger();
        QCOMPARE(dagNotice(), banner);
        document().painting().paint(std::array{call(0)}, 2); // a later step keeps the notice
        QCOMPARE(dagNotice(), banner);
        document().goToStep(1); // the devices keep their state
        QVERIFY2(dagNotice().isEmpty(), qPrintable(dagNotice()));
        for (const int tag : {0, 1, 0}) // a replacement for the undone step does not bring it back
            document().painting().paint(std::array{call(0)}, tag);
        QVERIFY2(dagNotice().isEmpty(), qPrintable(dagNotice()));
    }

    void droppingANodeAsksBeforeItReplacesPaintedTags()
    {
        partition();
        const NodeId last = measure()->nodesOf(0).back();
        document().painting().paint({&last, 1}, 0);
        const TagAssignment painted = document().tags();
        const int steps = document().steps().index();
        for (const char* answer : {"Cancel", "Convert to tags"}) {
            dragOver({last}, box(1), true);
            QCOMPARE(document().steps().index(), steps);
            QCOMPARE(document().tags().tagOf, painted.tagOf);
            auto* box = m_window->findChild<MessageDialog*>();
            QVERIFY(box != nullptr);
            QVERIFY2(box->headline().contains("replace your tags"), qPrintable(box->headline()));
            box->button(answer)->click();
            QTRY_VERIFY(m_window->findChild<MessageDialog*>() == nullptr);
        }
        QTRY_COMPARE(document().steps().index(), steps + 1);
        QCOMPARE(document().tags()[last], 1);
        QCOMPARE(document().tagName(1), QString("submod_1"));
        document().undo();
        QCOMPARE(document().tags().tagOf, painted.tagOf);
    }

    void keysMoveTheSelectionAndOfferToSplitAgain()
    {
        splitChain();
        document().marks().select({call(5)});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(mover().card().isVisible());
        QVERIFY2(mover().card().text().contains("Move c5 to stage1"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!mover().card().isVisible());
        QCOMPARE(document().tags()[call(5)], 0);
        QTest::keyClick(&view(), Qt::Key_M);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Up);
        QVERIFY2(mover().card().text().contains("Nothing to move to stage0"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Down);
        QVERIFY2(mover().card().text().contains("Move c5 to stage1"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[call(5)], 1);
        QVERIFY2(dagNotice().contains("tags have changed"), qPrintable(dagNotice()));
        const int before = document().runs().shown(SplitOutcome::kKind);
        QTest::mouseClick(&dagButton(), Qt::LeftButton);
        QTRY_VERIFY(document().runs().shown(SplitOutcome::kKind) != before);
        QVERIFY(dagNotice().isEmpty());
    }

    // In a job --------------------------------------------------------------------------------

    void aLargeModelIsReckonedInAJobAndSaysTheSame()
    {
        splitChain();
        document().marks().select({call(5)});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_M);
        settle(); // loads
        const QString atOnce = mover().card().text();
        QVERIFY2(atOnce.contains("Largest load "), qPrintable(atOnce));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        mover().trial().setOptions({.mostAtOnce = 0});
        QTest::keyClick(&view(), Qt::Key_M);
        QVERIFY2(mover().card().text().contains("Computing…"), qPrintable(mover().card().text()));
        QVERIFY(!mover().card().moveButton().isEnabled()); // disabled until the preview is ready
        QTRY_COMPARE(mover().card().text(), atOnce);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[call(5)], 1);
    }

    void escGivesUpWhatIsBeingReckoned()
    {
        splitChain();
        mover().trial().setOptions({.mostAtOnce = 0});
        document().marks().select({call(5)});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_M);
        QVERIFY(mover().trial().isRunning());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!mover().trial().isRunning());
        QTRY_COMPARE(jobs().runningCount(), 0);
        QVERIFY(!mover().card().isVisible());
        QCOMPARE(view().marks().target, -1);
    }

    void draggingOverPartsReckonsTheLastOne()
    {
        partition();
        mover().trial().setOptions({.mostAtOnce = 0});
        const std::vector<NodeId> last{measure()->nodesOf(0).back()};
        dragOver(last, box(2), false);
        dragOver(last, box(1), false);
        QVERIFY2(mover().card().text().contains("Computing…"), qPrintable(mover().card().text()));
        QTRY_VERIFY2(mover().card().text().contains("Legal"), qPrintable(mover().card().text()));
        QVERIFY2(mover().card().text().contains("to submod_1"), qPrintable(mover().card().text()));
        dragOver(last, box(2), false);
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(view().viewport(), &leave);
        QTRY_COMPARE(jobs().runningCount(), 0);
        QVERIFY(!mover().card().isVisible());
    }

    void takesAPartitionOverAsTagsInOneStep()
    {
        partition();
        const TagAssignment before = document().tags();
        mover().takeOverAsTags();
        QCOMPARE(document().tagName(2), QString("submod_2"));
        QVERIFY(document().checks().report().isLegal());
        document().undo();
        QCOMPARE(document().tags().order, before.order);
        QCOMPARE(document().tags().tagOf, before.tagOf);
    }
};

const test::Registered<WindowDagMovesTest> windowDagMovesTest("window_dag_moves_test");
#include "window_dag_moves_test.moc"
