#include "menus.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QContextMenuEvent>
#include <QSignalSpy>

using namespace sunder;

/// Context menus of boxes, edges, and handles in the Partition DAG, and the lists that they open.
class WindowDagMenuTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void aBoxIsUnfoldedAndFolded()
    {
        partition();
        const QStringList titles = openMenu(box(1), "Expand the graph of submod_1");
        QVERIFY2(titles.contains("Open in Submodules") && titles.contains("Convert to tags"), qPrintable(titles.join(',')));
        QVERIFY(graphIn(1) != nullptr);
        openMenu(box(1), "Collapse the graph of submod_1");
        QVERIFY(graphIn(1) == nullptr);
        QCOMPARE(view().current(), box(1));
    }

    void theOpsOfABoxAreSelected()
    {
        partition();
        QVERIFY(openMenu(box(2)).contains("[Move the selection to part (M)]")); // nothing is selected yet
        openMenu(box(2), "Select its ops");
        QCOMPARE(document().marks().selection().source, measure()->nodesOf(2));
        QVERIFY(!openMenu(box(2)).contains("[Move the selection to part (M)]"));
    }

    void whatABoxTakesAndGivesIsListed()
    {
        partition();
        openMenu(box(1), "List inputs and outputs");
        settle(); // makes room for the list
        QVERIFY(tensors().isVisible());
        QCOMPARE(tensors().model().rowCount(), 2); // one incoming and one outgoing value
        QVERIFY(tensors().height() >= tensors().minimumHeight());
        QTest::keyClick(&tensors().view(), Qt::Key_Escape);
        QVERIFY(!tensors().isVisible());
        QCOMPARE(m_window->focusWidget(), static_cast<QWidget*>(&view()));
    }

    void whatCrossesIsListedFromACutEdgeAndAHandle()
    {
        partition();
        openMenu(cutEdge(0), "List its tensors");
        QCOMPARE(tensors().model().rowCount(), 1);
        const NodeId crossing = tensors().model().node(0);
        QVERIFY(std::ranges::binary_search(measure()->nodesOf(0), crossing));
        QTest::keyClick(&tensors().view(), Qt::Key_Escape);
        QVERIFY(chipOf(0, true) >= 0);
        openMenu(chip(0, true)); // the menu of a handle acts on its op
        QCOMPARE(document().marks().selection().source, std::vector{crossing});
    }

    void theCutIsTakenOverAsTags()
    {
        partition();
        openMenu(box(0), "Convert to tags");
        QCOMPARE(document().tagCount(), 3);
        for (int part = 0; part < 3; ++part)
            for (const NodeId id : measure()->nodesOf(part))
                QCOMPARE(document().tags()[id], part);
    }

    void aPartThatIsTooLargeForABoxIsOpenedBeside()
    {
        const int many = static_cast<int>(PartGraphs::kMaxOps) + 10;
        splitInTo(2, many);
        QSignalSpy messages(&dag(), &PartitionDagPane::message);
        openMenu(box(0), "Expand the graph of stage0");
        QVERIFY(graphIn(0) == nullptr);
        QCOMPARE(messages.size(), 1);
        QVERIFY2(messages[0][0].toString().contains("too many to show in a box"), qPrintable(messages[0][0].toString()));
    }

    void aLaneSaysWhyItsDeviceHoldsItsParts()
    {
        partition();
        const QString question = "Why does dev1 hold these parts?";
        QVERIFY(openMenu(box(1)).contains(question)); // by keyboard, from the box in the lane
        QSignalSpy answers(&dag(), &PartitionDagPane::answered);
        const QPoint beside(view().viewport()->width() - 20, view().viewRectOf(box(1)).center().toPoint().y());
        QCOMPARE(view().placeAt(beside), DagHit());
        QVERIFY(openMenuAt(beside, question).contains(question));
        QCOMPARE(answers.size(), 1);
        QCOMPARE(answers[0][0].toString(), question);
        QVERIFY2(answers[0][1].toString().contains("dev1 holds submod_1"), qPrintable(answers[0][1].toString()));
        setDevices(3, 100'000); // the preview needs one device only
        QTRY_COMPARE(view().content().boxes.size(), 1U);
        const QPoint idle = view().viewRectOf(box(0)).bottomLeft().toPoint() + QPoint(0, 30);
        QCOMPARE(view().laneAt(idle), 1);
        QVERIFY(openMenuAt(idle).contains("Why is dev1 empty?"));
    }

    void aLaneOfTagsSaysWhatLimitsItsDevice()
    {
        splitInTo(2, 4);
        setDevices(2, 100'000);
        std::vector<Device> devices = document().devices().list();
        for (Device& device : devices) {
            device.rates = {{"float32", 1e12}};
            device.memoryBytesPerSecond = device.bandwidthBytesPerSecond = 1e12;
        }
        document().devices().set(devices, "rates");
        settle();
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        const QString question = "What limits device \"dev1\"?";
        QSignalSpy answers(&dag(), &PartitionDagPane::answered);
        const QPoint beside(view().viewport()->width() - 20, view().viewRectOf(box(1)).center().toPoint().y());
        QVERIFY(openMenuAt(beside, question).contains(question));
        QTRY_COMPARE(answers.size(), 1);
        QCOMPARE(answers[0][0].toString(), question);
        QVERIFY2(answers[0][1].toString().startsWith("stage1 on device \"dev1\": "), qPrintable(answers[0][1].toString()));
    }

private:
    QStringList openMenu(DagHit place, const QString& chosen = {}) { return openMenuAt(centerOf(place), chosen); }

    QStringList openMenuAt(QPoint at, const QString& chosen = {})
    {
        return test::chooseInMenu(
            [&] {
                QContextMenuEvent event(QContextMenuEvent::Mouse, at, view().viewport()->mapToGlobal(at));
                QCoreApplication::sendEvent(view().viewport(), &event);
            },
            chosen);
    }
};

const test::Registered<WindowDagMenuTest> windowDagMenuTest("window_dag_menu_test");
#include "window_dag_menu_test.moc"
