#include "app/workspace.h"
#include "dialogs/partition_dialog.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/submodules/submodules_pane.h"
#include "window_fixture.h"

#include <QAccessible>
#include <QClipboard>
#include <QDropEvent>
#include <QProcess>
#include <QSignalSpy>

#include <algorithm>

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

    QString m_row; ///< twelve ops in a row

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
        m_row = m_folder.filePath("row.fxj");
        std::string lines = "x = placeholder() : 8x4\n";
        for (int i = 0; i < 12; ++i)
            lines += "c" + std::to_string(i) + " = relu(" + (i == 0 ? "x" : "c" + std::to_string(i - 1)) + ") : 8x4\n";
        QVERIFY(writeFxJson(test::programFromText(lines + "output(c11)\n"), m_row.toStdString()).has_value());
    }
    void init()
    {
        QSettings().clear();
        m_model = m_row;
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
        QTest::keyClick(&view(), Qt::Key_Right); // the handle of what leaves
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

    // Graphs in boxes -------------------------------------------------------------------------

    RunGraphView* graphIn(int index) { return dag().graphs().graphOf(view().content().boxes[static_cast<std::size_t>(index)].part); }

    void aDoubleClickUnfoldsTheGraphInTheBoxAndEscFoldsIt()
    {
        partition();
        const double height = view().layoutOfContent().boxes[1].height();
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(1)));
        RunGraphView* graph = graphIn(1);
        QVERIFY(graph != nullptr);
        QVERIFY(view().layoutOfContent().boxes[1].height() > height + 100);
        QTRY_VERIFY(graph->canvas().picture() != nullptr && !graph->canvas().picture()->items.empty());
        QVERIFY(view().viewport()->rect().contains(graph->geometry().center()));
        document().select({dag().measure()->nodesOf(1).front()});
        QCOMPARE(graph->canvas().scene().style().selected.size(), 1U);
        graph->canvas().setFocus();
        QTest::keyClick(&graph->canvas(), Qt::Key_Escape);
        QVERIFY(graphIn(1) == nullptr);
        QCOMPARE(view().layoutOfContent().boxes[1].height(), height);
        QVERIFY(view().hasFocus());
        QCOMPARE(view().current(), box(1));
    }

    void keysUnfoldGoIntoTheGraphAndFold()
    {
        partition();
        view().setFocus();
        view().setCurrent(box(0));
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(graphIn(0) != nullptr);
        QTRY_VERIFY(graphIn(0)->canvas().isVisible());
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(graphIn(0)->canvas().hasFocus());
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(graphIn(0) == nullptr);
        const QPoint mark = [&] {
            const QRectF at = view().viewRectOf(box(2));
            const QRectF of = view().layoutOfContent().foldMarkOf(2);
            return (at.topLeft() + (of.center() - view().layoutOfContent().boxes[2].topLeft()) * view().zoom()).toPoint();
        }();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, mark);
        QVERIFY(graphIn(2) != nullptr);
    }

    void graphsStayWhenColoursChangeAndGoWithTheCut()
    {
        partition();
        dag().unfold(0);
        QVERIFY(graphIn(0) != nullptr);
        std::vector<Device> devices = document().devices();
        devices[0].color = "#336699";
        document().setDevices(devices, "colour");
        QVERIFY(graphIn(0) != nullptr);
        QVERIFY(view().layoutOfContent().isUnfolded(0));
        m_window->workflow().partition({.config = {.devices = document().devices()}});
        QTRY_COMPARE(document().shownRun(ResultKind::parts), 2);
        QTRY_VERIFY(graphIn(0) == nullptr);
        QTRY_VERIFY(!view().layoutOfContent().isUnfolded(0));
    }

    // Handles ---------------------------------------------------------------------------------

    int chipOf(int index, bool leaves)
    {
        const auto& chips = view().layoutOfContent().chips;
        const auto at = std::ranges::find_if(chips, [&](const DagChip& chip) { return chip.box == static_cast<std::size_t>(index) && chip.leaves == leaves; });
        return at == chips.end() ? -1 : static_cast<int>(at - chips.begin());
    }
    DagPlace chip(int index, bool leaves) { return {DagPlace::Kind::chip, chipOf(index, leaves)}; }

    void opsAtTheBorderAreHandles()
    {
        partition();
        QCOMPARE(view().layoutOfContent().chips.size(), 4U); // one leaves each border, one enters
        QVERIFY(chipOf(0, false) < 0);
        const NodeId last = dag().measure()->nodesOf(0).back();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(chip(0, true)));
        QCOMPARE(document().selection().source, std::vector{last});
        QTest::mouseMove(view().viewport(), centerOf(chip(1, false)));
        QTRY_COMPARE(document().hovered(), std::vector{dag().measure()->nodesOf(1).front()});
    }

    void aHandleIsMovedWithKeysOverTheBorderThatItStandsAt()
    {
        partition();
        const NodeId first = dag().measure()->nodesOf(1).front();
        view().setFocus();
        view().setCurrent(box(1));
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), chip(1, false));
        QTest::keyClick(&view(), Qt::Key_M);
        QVERIFY(dag().card().isVisible());
        QVERIFY2(dag().card().text().contains("to submod_0"), qPrintable(dag().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!dag().card().isVisible());
        QVERIFY(view().hasFocus());
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY2(dag().card().text().contains("largest part"), qPrintable(dag().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[first], 0);
        QVERIFY2(dag().notice().contains("painted as tags"), qPrintable(dag().notice()));
    }

    void arrowsWalkFromBoxOverHandlesToRibbons()
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
        QCOMPARE(view().current(), ribbon(1));
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
        QMouseEvent move(QEvent::MouseMove, at + QPoint(30, 30), view().viewport()->mapToGlobal(at + QPoint(30, 30)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &move);
        QCOMPARE(pulled.size(), 1);
        QCOMPARE(pulled.front().front().value<DagPlace>(), chip(0, true));
    }

    void screenReadersSeeBoxesRibbonsAndHandles()
    {
        partition();
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view());
        QVERIFY(list != nullptr);
        QCOMPARE(list->childCount(), 9);
        QVERIFY2(list->child(0)->text(QAccessible::Name).contains("submod_0 on dev0"), qPrintable(list->child(0)->text(QAccessible::Name)));
        QVERIFY2(list->child(3)->text(QAccessible::Name).contains("1 tensor"), qPrintable(list->child(3)->text(QAccessible::Name)));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(0)));
        QVERIFY(list->child(0)->state().selected);
        QVERIFY(list->child(0)->state().collapsed);
        QAccessibleInterface* handle = list->child(5);
        QCOMPARE(handle->role(), QAccessible::Button);
        QCOMPARE(handle->text(QAccessible::Name),
                 QString::fromStdString(document().graph()[dag().measure()->nodesOf(0).back()].name.str()));
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
        QVERIFY2(dag().card().text().contains("to submod_1"), qPrintable(dag().card().text()));
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

    void aNameOrAColourIsNoOtherDevice()
    {
        partition();
        std::vector<Device> devices = document().devices();
        devices[1].name = "cuda:1";
        devices[1].color = "#336699";
        devices[2].speed = 2;
        document().setDevices(devices, "rename");
        QCOMPARE(dag().preview().state(), PartitionPreview::State::none);
        QVERIFY(document().isSplitCurrent());
        QCOMPARE(view().content().lanes[1].name, QString("cuda:1")); // at once
        QCOMPARE(view().content().boxes[1].look.style.color, QColor("#336699"));
        QVERIFY(dag().notice().isEmpty());
        QVERIFY2(dag().header().status().contains("proven equal"), qPrintable(dag().header().status()));
        std::swap(devices[0], devices[1]); // the order is what is filled first
        document().setDevices(devices, "move");
        QVERIFY(!document().isSplitCurrent());
        QTRY_COMPARE(dag().preview().state(), PartitionPreview::State::ready);
        devices[0].name = "gpu";
        document().setDevices(devices, "rename");
        QCOMPARE(dag().preview().state(), PartitionPreview::State::ready); // it holds
        QTRY_VERIFY(std::ranges::any_of(view().content().lanes, [](const DagLane& lane) { return lane.name == "gpu"; }));
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

    // Devices by keys -------------------------------------------------------------------------

    void devicesAreWrittenByKeysAlone()
    {
        openModel();
        DeviceTable& table = m_window->devicesPanel().view();
        table.setFocus();
        QVERIFY(table.hasFocus()); // though it is empty
        QGuiApplication::clipboard()->setText("name\tmemory\ncuda:0\t16 GB\ncuda:1\t512 MiB\ncpu\t1.5e9\n");
        QTest::keyClick(&table, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(document().devices().size(), 3U);
        QCOMPARE(document().devices()[1].availableBytes, 512.0 * 1024 * 1024);
        QCOMPARE(document().devices()[2].availableBytes, 1.5e9);
        table.setCurrentIndex(table.model()->index(0, 0));
        QTest::keyClick(&table, Qt::Key_Right);
        QCOMPARE(table.currentIndex().column(), 1);
        QTest::keyClick(&table, Qt::Key_Return);
        QTest::keyClicks(m_window->focusWidget(), "24 GB");
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab); // on to the next cell: the name of the next device
        QCOMPARE(document().devices()[0].availableBytes, 24e9);
        QTest::keyClicks(m_window->focusWidget(), "gpu");
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(document().devices()[1].name, std::string("gpu"));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(document().devices()[0].name, std::string("gpu"));
        QTest::keyClick(&table, Qt::Key_Delete);
        QCOMPARE(document().devices().size(), 2U);
        document().undoStack().undo();
        document().undoStack().undo();
        QCOMPARE(document().devices()[1].name, std::string("gpu"));
        const QString path = m_folder.filePath("devices.json");
        m_window->devicesPanel().exportFile(path);
        const std::vector<Device> before = document().devices();
        QTest::keyClick(&table, Qt::Key_Delete);
        m_window->devicesPanel().importFile(path);
        QVERIFY(document().devices() == before);
    }

    // Export ----------------------------------------------------------------------------------

    /// A real model through the form onto three devices, and out as parts; PyTorch runs them where there is one.
    void partsOfAPartitionComputeWhatTheModelDoes()
    {
        m_model = QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        openModel();
        PartitionDialog* form = dialog();
        QVERIFY(form != nullptr);
        QTRY_VERIFY(form->addDevicesButton().isEnabled());
        QTest::mouseClick(&form->addDevicesButton(), Qt::LeftButton);
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().shownSplit() != nullptr);
        QTRY_COMPARE(view().content().boxes.size(), 3U);
        const QString folder = m_folder.filePath("parts");
        ExportDialog* out = exportDialog(ExportKind::parts, folder);
        QTRY_VERIFY2(out->statusText().contains("Wrote 4 files"), qPrintable(out->statusText()));
        out->close();
        const QString python = qEnvironmentVariable("SUNDER_TORCH_PYTHON");
        if (python.isEmpty())
            QSKIP("SUNDER_TORCH_PYTHON does not name a Python with PyTorch");
        QProcess check;
        check.setProcessChannelMode(QProcess::MergedChannels);
        check.start(python, {QStringLiteral(SUNDER_SOURCE "/tests/torch/exported_parts_in_torch.py"), m_model, folder});
        QVERIFY(check.waitForFinished(240'000));
        const QByteArray said = check.readAll();
        QVERIFY2(check.exitCode() == 0, said.constData());
        QVERIFY2(said.contains("equal"), said.constData());
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
