#include "panes/partition_dag/part_mover.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QAccessible>
#include <QSignalSpy>

using namespace sunder;

/// Boundary ops of a part as handles on its box, used by mouse, keyboard, and assistive technology.
class WindowDagHandlesTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void opsAtTheBorderAreHandles()
    {
        partition();
        QCOMPARE(view().layoutOfContent().chips.size(), 4U); // one leaves at each boundary, one enters
        QVERIFY(chipOf(0, false) < 0);
        const NodeId last = measure()->nodesOf(0).back();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(chip(0, true)));
        QCOMPARE(document().marks().selection().source, std::vector{last});
        QTest::mouseMove(view().viewport(), centerOf(chip(1, false)));
        QTRY_COMPARE(document().marks().hovered(), std::vector{measure()->nodesOf(1).front()});
    }

    void aHandleIsMovedWithKeysOverTheBorderThatItStandsAt()
    {
        partition();
        const NodeId first = measure()->nodesOf(1).front();
        view().setFocus();
        view().setCurrent(box(1));
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), chip(1, false));
        QTest::keyClick(&view(), Qt::Key_M);
        QVERIFY(mover().card().isVisible());
        QVERIFY2(mover().card().text().contains("to submod_0"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!mover().card().isVisible());
        QVERIFY(view().hasFocus());
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY2(mover().card().text().contains("largest part"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[first], 0);
        QVERIFY2(dagNotice().contains("now your tags"), qPrintable(dagNotice()));
    }

    void arrowsWalkFromBoxOverHandlesToCutEdges()
    {
        partition();
        view().setFocus();
        view().setCurrent(box(1));
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), chip(1, true));
        QTest::keyClick(&view(), Qt::Key_Up);
        QCOMPARE(view().current(), box(1));
        view().setCurrent(chip(1, true));
        QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(view().current(), box(2));
        view().setCurrent(chip(1, true));
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), cutEdge(1));
        view().setCurrent(chip(1, false));
        QTest::keyClick(&view(), Qt::Key_Left);
        QCOMPARE(view().current(), box(1));
    }

    void pullingAHandleDragsItsOp()
    {
        partition();
        disconnect(&view(), &DagView::dragStarted, nullptr, nullptr); // a drag would wait for the mouse
        QSignalSpy pulled(&view(), &DagView::dragStarted);
        const QPoint at = centerOf(chip(0, true));
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, at);
        QMouseEvent move(QEvent::MouseMove, at + QPoint(30, 30), view().viewport()->mapToGlobal(at + QPoint(30, 30)),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &move);
        QCOMPARE(pulled.size(), 1);
        QCOMPARE(pulled.front().front().value<DagHit>(), chip(0, true));
    }

    void screenReadersSeeBoxesCutEdgesAndHandles()
    {
        partition();
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view());
        QVERIFY(list != nullptr);
        QCOMPARE(list->childCount(), 9);
        QVERIFY2(list->child(0)->text(QAccessible::Name).contains("submod_0 on dev0"),
                 qPrintable(list->child(0)->text(QAccessible::Name)));
        QVERIFY2(list->child(3)->text(QAccessible::Name).contains("1 tensor"),
                 qPrintable(list->child(3)->text(QAccessible::Name)));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(0)));
        QVERIFY(list->child(0)->state().selected);
        QVERIFY(list->child(0)->state().collapsed);
        QAccessibleInterface* handle = list->child(5);
        QCOMPARE(handle->role(), QAccessible::Button);
        QCOMPARE(handle->text(QAccessible::Name),
                 QString::fromStdString(document().graph()[measure()->nodesOf(0).back()].name.str()));
        QVERIFY2(handle->text(QAccessible::Description).contains("goes to submod_1, 128 B"),
                 qPrintable(handle->text(QAccessible::Description)));
        QVERIFY(handle->rect().isValid());
        view().setFocus();
        view().setCurrent(chip(0, true));
        QVERIFY(handle->state().focused);
        QCOMPARE(list->focusChild(), handle);
        QAccessibleActionInterface* actions = handle->actionInterface();
        QVERIFY(actions != nullptr);
        QCOMPARE(actions->actionNames(), QStringList{QAccessibleActionInterface::pressAction()});
        actions->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY2(mover().card().text().contains("to submod_1"), qPrintable(mover().card().text()));
    }
};

const test::Registered<WindowDagHandlesTest> windowDagHandlesTest("window_dag_handles_test");
#include "window_dag_handles_test.moc"
