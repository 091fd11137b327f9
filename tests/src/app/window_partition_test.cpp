#include "app/workspace.h"
#include "dialogs/partition_dialog.h"
#include "panels/devices_panel.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/submodules/submodules_pane.h"
#include "window_fixture.h"

#include <QAccessible>
#include <QDropEvent>
#include <QSignalSpy>

using namespace sunder;

/// Partitions over devices in the real window: the form, the DAG, previews and moves.
class WindowPartitionTest final : public test::WindowFixture {
    Q_OBJECT

private:
    PartitionDagPane& dag() { return m_window->workspace().partitionDag(); }
    DagView& view() { return dag().view(); }
    Document& document() { return m_window->document(); }

    PartitionDialog* dialog()
    {
        m_window->actions().partition->trigger();
        auto* found = m_window->findChild<PartitionDialog*>();
        return found != nullptr && found->isVisible() ? found : nullptr;
    }

    void setDevices(int count, double bytes)
    {
        std::vector<Device> devices;
        for (int i = 0; i < count; ++i)
            devices.push_back({.name = "dev" + std::to_string(i), .availableBytes = bytes, .logicalId = i});
        document().setDevices(std::move(devices), "devices");
    }

    /// Twelve ops of 128 B in a row over three devices.
    void partition()
    {
        openModel();
        setDevices(3, 700);
        m_window->workflow().partition({.config = {.devices = document().devices()}});
        QTRY_VERIFY(document().shownSplit() != nullptr);
        QTRY_VERIFY(dag().measure() != nullptr);
        QCOMPARE(view().content().boxes.size(), 3U);
    }

    void splitChain()
    {
        openModel();
        for (int i = 0; i < 12; ++i)
            document().paint(std::array{call(i)}, i / 6);
        m_window->actions().split->trigger();
        QTRY_VERIFY(document().shownSplit() != nullptr);
        QTRY_VERIFY(dag().measure() != nullptr);
        QCOMPARE(view().content().boxes.size(), 2U);
    }

    NodeId call(int i) const { return node(("c" + std::to_string(i)).c_str()); }
    QPoint centerOf(DagPlace place) { return view().viewRectOf(place).center().toPoint(); }
    static DagPlace box(int index) { return {DagPlace::Kind::box, index}; }
    static DagPlace ribbon(int index) { return {DagPlace::Kind::ribbon, index}; }

    void dragOver(const std::vector<NodeId>& nodes, DagPlace place, bool drop)
    {
        const std::unique_ptr<QMimeData> data(mimeOf(nodes));
        const QPoint at = centerOf(place);
        QDragEnterEvent enter(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &move);
        if (!drop)
            return;
        QDropEvent dropped(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &dropped);
    }

private slots:
    void initTestCase()
    {
        prepare();
        m_model = m_folder.filePath("row.fxj");
        std::string lines = "x = placeholder() : 8x4\n";
        for (int i = 0; i < 12; ++i)
            lines += "c" + std::to_string(i) + " = relu(" + (i == 0 ? "x" : "c" + std::to_string(i - 1)) + ") : 8x4\n";
        QVERIFY(writeFxJson(test::programFromText(lines + "output(c11)\n"), m_model.toStdString()).has_value());
    }
    void init()
    {
        QSettings().clear();
        showWindow();
    }
    void cleanup() { closeWindow(); }

    // The form --------------------------------------------------------------------------------

    void offersDevicesThatHoldTheModelAndPartitionsOverThem()
    {
        openModel();
        PartitionDialog* form = dialog();
        QVERIFY(form != nullptr);
        QVERIFY(!form->partitionButton().isEnabled());
        QVERIFY2(form->missing().contains("no devices"), qPrintable(form->missing()));
        QTRY_VERIFY(form->addDevicesButton().isEnabled());
        QTest::mouseClick(&form->addDevicesButton(), Qt::LeftButton);
        QCOMPARE(document().devices().size(), 3U);
        QVERIFY(form->partitionButton().isEnabled());
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().shownSplit() != nullptr);
        QCOMPARE(document().shownSplit()->split.parts.size(), 3U);
        QVERIFY(dag().isVisible());
        QVERIFY2(dag().header().status().contains("proven equal"), qPrintable(dag().header().status()));
        document().undoStack().undo();
        QVERIFY(document().devices().empty());
    }

    void saysWhatAMethodLacks()
    {
        openModel();
        setDevices(2, 1000);
        PartitionDialog* form = dialog();
        form->setMethod(PartitionDialog::Method::costAware);
        QVERIFY2(form->missing().contains("latency"), qPrintable(form->missing()));
        form->setMethod(PartitionDialog::Method::asTagged);
        QVERIFY2(form->missing().contains("12 ops have no tag"), qPrintable(form->missing()));
        form->setMethod(PartitionDialog::Method::of2020);
        QVERIFY(form->missing().isEmpty());
        form->close();
    }

    void takesLatenciesFromAConfigFile()
    {
        openModel();
        setDevices(3, 700);
        PartitionDialog* form = dialog();
        form->setMethod(PartitionDialog::Method::costAware);
        QFile file(m_folder.filePath("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray latencies = "\"x\":[0,0]";
        for (int i = 0; i < 12; ++i)
            latencies += ",\"c" + QByteArray::number(i) + "\":[0.001,0.002]";
        file.write(R"({"mode":"cost_aware","devices":[],"transfer_rate_bytes_per_sec":2000000000,"node_to_latency":{)" + latencies + "}}");
        file.close();
        form->takeConfigFile(file.fileName());
        QVERIFY2(form->missing().isEmpty(), qPrintable(form->missing()));
        const Result<PartitionRequest> request = form->request();
        QVERIFY(request.has_value());
        QCOMPARE(request->config.transferBytesPerSecond, 2e9);
        QCOMPARE(request->config.latencies.size(), 13U);
        form->close();
    }

    void remembersTheMethod()
    {
        openModel();
        setDevices(2, 5000);
        PartitionDialog* form = dialog();
        form->setMethod(PartitionDialog::Method::of2020);
        QTest::keyClick(form, Qt::Key_Return);
        QTRY_VERIFY(document().shownSplit() != nullptr);
        closeWindow();
        showWindow();
        openModel();
        QCOMPARE(dialog()->method(), PartitionDialog::Method::of2020);
    }

    void takesTagsAsTheyAre()
    {
        openModel();
        setDevices(2, 5000);
        for (int i = 0; i < 12; ++i)
            document().paint(std::array{call(i)}, i / 6);
        PartitionDialog* form = dialog();
        form->setMethod(PartitionDialog::Method::asTagged);
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().shownSplit() != nullptr);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        QCOMPARE(view().content().lanes[1].name, QString("dev1"));
    }

    void saysWhyNothingFits()
    {
        openModel();
        setDevices(2, 10);
        m_window->workflow().partition({.config = {.devices = document().devices()}});
        QMessageBox* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->informativeText().contains("devices"), qPrintable(box->informativeText()));
        box->close();
    }

    // Linked ----------------------------------------------------------------------------------

    void aClickOnABoxSelectsItsOps()
    {
        partition();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(1)));
        QCOMPARE(document().selection().source, dag().measure()->nodesOf(1));
        document().select({call(0)});
        QCOMPARE(view().marks().selectedOps[0], 1U);
        QCOMPARE(view().marks().selectedOps[1], 0U);
    }

    void hoverGoesBothWays()
    {
        partition();
        QTest::mouseMove(view().viewport(), centerOf(box(2)));
        QTRY_COMPARE(document().hovered(), dag().measure()->nodesOf(2));
        QTest::mouseMove(&m_window->sourcePane().canvas(), QPoint(3, 3));
        document().setHovered({call(0)});
        QTRY_VERIFY(view().marks().hoveredBoxes[0] != 0);
    }

    void aRibbonListsItsTensorsByMouseAndKeys()
    {
        partition();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(ribbon(0)));
        QVERIFY(dag().tensors().isVisible());
        QCOMPARE(dag().tensors().model().rowCount(), 1);
        const NodeId crossing = dag().tensors().model().node(0);
        QTreeView& rows = dag().tensors().view();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualRect(rows.model()->index(0, 0)).center());
        QCOMPARE(document().selection().source, std::vector{crossing});
        QTest::keyClick(&rows, Qt::Key_Escape);
        QVERIFY(!dag().tensors().isVisible());

        view().setFocus();
        view().setCurrent(box(0));
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), ribbon(0));
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(dag().tensors().isVisible());
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), box(1));
        QTest::keyClick(&view(), Qt::Key_Down);
        QTest::keyClick(&view(), Qt::Key_Space);
        QCOMPARE(document().selection().source, dag().measure()->nodesOf(2));
    }

    void aDoubleClickOpensTheGraphOfThePart()
    {
        partition();
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(1)));
        QTabBar& tabs = m_window->submodulesPane().tabs();
        QCOMPARE(tabs.tabText(tabs.currentIndex()), view().content().boxes[1].look.name);
    }

    void screenReadersSeeBoxesAndRibbons()
    {
        partition();
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view());
        QVERIFY(list != nullptr);
        QCOMPARE(list->childCount(), 5);
        QVERIFY2(list->child(0)->text(QAccessible::Name).contains("submod_0 on dev0"), qPrintable(list->child(0)->text(QAccessible::Name)));
        QVERIFY2(list->child(3)->text(QAccessible::Name).contains("1 tensor"), qPrintable(list->child(3)->text(QAccessible::Name)));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(0)));
        QVERIFY(list->child(0)->state().selected);
    }

    void aSplitByTagsIsShownOnTheDevicesInOrder()
    {
        splitChain();
        QVERIFY(view().content().lanes[0].name.isEmpty());
        setDevices(2, 100);
        QCOMPARE(view().content().lanes[1].name, QString("dev1"));
        QVERIFY(view().content().boxes[0].overflow > 0);
        QVERIFY2(dag().totals().contains("largest device dev"), qPrintable(dag().totals()));
    }

    // Preview of other devices ----------------------------------------------------------------

    void otherDevicesAreAPreviewUntilItIsKept()
    {
        partition();
        const std::size_t runs = document().runs().size();
        setDevices(2, 1000);
        QTRY_COMPARE(dag().preview().state(), PartitionPreview::State::ready);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        QVERIFY2(dag().header().status().startsWith("Preview"), qPrintable(dag().header().status()));
        QCOMPARE(document().runs().size(), runs);
        QTest::mouseClick(&dag().noticeButton(), Qt::LeftButton);
        QCOMPARE(document().runs().size(), runs + 1);
        QCOMPARE(document().shownSplit()->split.parts.size(), 2U);
        QVERIFY(dag().notice().isEmpty());
        QVERIFY(dag().header().status().contains("Run 2"));
    }

    void thePreviewGoesWhenTheDevicesAreAsBefore()
    {
        partition();
        setDevices(2, 1000);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        document().undoStack().undo();
        QTRY_COMPARE(view().content().boxes.size(), 3U);
        QVERIFY(dag().notice().isEmpty());
        QVERIFY(dag().header().status().contains("Run 1"));
    }

    void saysWhyThePreviewDoesNotFit()
    {
        partition();
        setDevices(2, 10);
        QTRY_COMPARE(dag().preview().state(), PartitionPreview::State::refused);
        QVERIFY2(dag().notice().contains("devices"), qPrintable(dag().notice()));
        QCOMPARE(view().content().boxes.size(), 3U); // the run stays
        QVERIFY(m_window->findChild<QMessageBox*>() == nullptr);
    }

    // Moves -----------------------------------------------------------------------------------

    void droppingANodePaintsAPartitionWithTheMove()
    {
        partition();
        const NodeId last = dag().measure()->nodesOf(0).back();
        const int steps = document().undoStack().index();
        dragOver({last}, box(1), false);
        QVERIFY(dag().card().isVisible());
        QVERIFY2(dag().card().text().contains("Legal"), qPrintable(dag().card().text()));
        dragOver({dag().measure()->nodesOf(0).front()}, box(2), false);
        QVERIFY2(dag().card().text().contains("comes after"), qPrintable(dag().card().text()));
        QCOMPARE(document().undoStack().index(), steps);
        dragOver({last}, box(1), true);
        QVERIFY(!dag().card().isVisible());
        QCOMPARE(document().undoStack().index(), steps + 1);
        QCOMPARE(document().tagCount(), 3);
        QCOMPARE(document().tags()[last], 1);
        QVERIFY2(dag().notice().contains("painted as tags"), qPrintable(dag().notice()));
        QTest::mouseClick(&dag().noticeButton(), Qt::LeftButton); // splits by them
        QTRY_VERIFY(!document().shownSplit()->plan);
        QTRY_COMPARE(view().content().boxes.size(), 3U);
    }

    void keysMoveTheSelectionAndOfferToSplitAgain()
    {
        splitChain();
        document().select({call(5)});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Down, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(dag().card().isVisible());
        QVERIFY2(dag().card().text().contains("Move c5 to stage1"), qPrintable(dag().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!dag().card().isVisible());
        QCOMPARE(document().tags()[call(5)], 0);
        QTest::keyClick(&view(), Qt::Key_M);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Up);
        QVERIFY2(dag().card().text().contains("Nothing to move to stage0"), qPrintable(dag().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Down);
        QVERIFY2(dag().card().text().contains("Move c5 to stage1"), qPrintable(dag().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[call(5)], 1);
        QVERIFY2(dag().notice().contains("tags have changed"), qPrintable(dag().notice()));
        const int before = document().shownRun(ResultKind::parts);
        QTest::mouseClick(&dag().noticeButton(), Qt::LeftButton);
        QTRY_VERIFY(document().shownRun(ResultKind::parts) != before);
        QVERIFY(dag().notice().isEmpty());
    }

    void takesAPartitionOverAsTagsInOneStep()
    {
        partition();
        const TagAssignment before = document().tags();
        dag().takeOverAsTags();
        QCOMPARE(document().tagName(2), QString("submod_2"));
        QVERIFY(document().report().isLegal());
        document().undoStack().undo();
        QCOMPARE(document().tags().order, before.order);
        QCOMPARE(document().tags().tagOf, before.tagOf);
    }
};

QTEST_MAIN(WindowPartitionTest)
#include "window_partition_test.moc"
