#include "partition_fixture.h"
#include "test_case.h"

using namespace sunder;

/// The preview partition that follows the table of devices until it is kept.
class WindowPartitionPreviewTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void otherDevicesAreAPreviewUntilItIsKept()
    {
        partition();
        const std::size_t runs = document().runs().list().size();
        setDevices(2, 1000);
        QTRY_COMPARE(preview().state(), PartitionPreview::State::ready);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        QVERIFY2(dag().header().status().startsWith("Preview"), qPrintable(dag().header().status()));
        QCOMPARE(document().runs().list().size(), runs);
        QTest::mouseClick(&dagButton(), Qt::LeftButton);
        QCOMPARE(document().runs().list().size(), runs + 1);
        QCOMPARE(document().runs().shownSplit()->split.parts.size(), 2U);
        QVERIFY(dagNotice().isEmpty());
        QVERIFY(dag().header().status().contains("Run 2"));
    }

    void thePreviewGoesWhenTheDevicesAreAsBefore()
    {
        partition();
        setDevices(2, 1000);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        document().undo();
        QTRY_COMPARE(view().content().boxes.size(), 3U);
        QVERIFY(dagNotice().isEmpty());
        QVERIFY(dag().header().status().contains("Run 1"));
    }

    void aNameOrAColorIsNoOtherDevice()
    {
        partition();
        std::vector<Device> devices = document().devices().list();
        devices[1].name = "cuda:1";
        devices[1].color = "#336699";
        devices[2].speed = 2;
        document().devices().set(devices, "rename");
        QCOMPARE(preview().state(), PartitionPreview::State::none);
        QVERIFY(document().runs().isSplitCurrent());
        QCOMPARE(view().content().lanes[1].name, QString("cuda:1")); // immediately
        QCOMPARE(view().content().boxes[1].look.style.color, QColor("#336699"));
        QVERIFY(dagNotice().isEmpty());
        QVERIFY2(dag().header().status().endsWith(" · equivalent"), qPrintable(dag().header().status()));
        std::swap(devices[0], devices[1]); // devices are filled in order
        document().devices().set(devices, "move");
        QVERIFY(!document().runs().isSplitCurrent());
        QTRY_COMPARE(preview().state(), PartitionPreview::State::ready);
        devices[0].name = "gpu";
        document().devices().set(devices, "rename");
        QCOMPARE(preview().state(), PartitionPreview::State::ready); // still valid
        QTRY_VERIFY(std::ranges::any_of(view().content().lanes, [](const DagLane& lane) { return lane.name == "gpu"; }));
    }

    void aPreviewUnfoldsItsBoxesLikeARun()
    {
        partition();
        setDevices(2, 1000);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(1)));
        RunGraphView* graph = graphIn(1);
        QVERIFY(graph != nullptr);
        QVERIFY(view().layoutOfContent().isUnfolded(1));
        QTRY_VERIFY(graph->canvas().picture() != nullptr && !graph->canvas().picture()->items.empty());
        const NodeId first = measure()->nodesOf(1).front();
        document().marks().select({first}); // in the source: selects its counterpart in the box …
        QCOMPARE(graph->canvas().scene().style().selected.size(), 1U);
        document().marks().clear();
        const NodeId there = document().runs().counterpartsIn(preview().run(), {first}).front().node;
        emit graph->canvas().selectionRequested({there}, SelectionMode::replace); // … and the other way round
        QCOMPARE(document().marks().selection().source, std::vector{first});
        emit graph->canvas().hovered({there});
        QCOMPARE(document().marks().hovered(), std::vector{first});
    }

    void graphsOfAPreviewStayWhenItIsKept()
    {
        partition();
        setDevices(2, 1000);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        graphs().unfold(0);
        RunGraphView* graph = graphIn(0);
        QVERIFY(graph != nullptr);
        QVERIFY(graph->run() < 0);
        QTest::mouseClick(&dagButton(), Qt::LeftButton);
        QCOMPARE(document().runs().shown(SplitOutcome::kKind), 2);
        QCOMPARE(graphIn(0), graph);
        QCOMPARE(graph->run(), 2);
        QVERIFY(view().layoutOfContent().isUnfolded(0));
        document().marks().select({measure()->nodesOf(0).front()});
        QCOMPARE(graph->canvas().scene().style().selected.size(), 1U);
    }

    void graphsOfAPreviewGoWithIt()
    {
        partition();
        setDevices(2, 1000);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        graphs().unfold(1);
        QVERIFY(graphIn(1) != nullptr);
        const NodeId first = measure()->nodesOf(1).front();
        const int number = preview().run();
        const std::vector<NodeRef> there = document().runs().counterpartsIn(number, {first});
        document().marks().selectIn(number, {there.front()});
        QCOMPARE(document().marks().selection().run, number);
        document().undo(); // restores the devices
        QTRY_COMPARE(view().content().boxes.size(), 3U);
        QVERIFY(graphIn(1) == nullptr);
        QVERIFY(document().runs().find(number) == nullptr);
        QCOMPARE(document().marks().selection().source,
                 std::vector{first}); // a selection in the preview becomes the one in the source
        QCOMPARE(document().marks().selection().run, 0);
    }

    void saysWhyThePreviewDoesNotFit()
    {
        partition();
        setDevices(2, 10);
        QTRY_COMPARE(preview().state(), PartitionPreview::State::refused);
        QVERIFY2(dagNotice().contains("devices"), qPrintable(dagNotice()));
        QCOMPARE(view().content().boxes.size(), 3U); // the run stays
        QVERIFY(m_window->findChild<MessageDialog*>() == nullptr);
    }
};

const test::Registered<WindowPartitionPreviewTest> windowPartitionPreviewTest("window_partition_preview_test");
#include "window_partition_preview_test.moc"
