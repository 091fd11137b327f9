#include "app/workspace.h"
#include "dialogs/balance_dialog.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/sequence/boundary_card.h"
#include "panes/sequence/sequence_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>

using namespace sunder;

/// "Balance…": the dialog, its preview in the source, and the undo step.
class WindowBalanceTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        writeModel("x = placeholder() : 256x512\n"
                   "w = placeholder() : 512x512\n"
                   "a = aten.mm.default(x, w) : 256x512 @ one Linear\n"
                   "b = aten.mm.default(a, w) : 256x512 @ two Linear\n"
                   "c = aten.mm.default(b, w) : 256x512 @ three Linear\n"
                   "d = aten.mm.default(c, w) : 256x512 @ four Linear\n"
                   "output(d)\n");
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void previewsAndAppliesAsOneStep()
    {
        BalanceDialog& dialog = show();
        QVERIFY2(quality(dialog).contains("optimal, proven"), qPrintable(quality(dialog)));
        QCOMPARE(rows(dialog), 2);
        QCOMPARE(canvas().pictureStyle().tag(node("b")), 0); // in the graph, before it is applied
        QCOMPARE(canvas().pictureStyle().tag(node("c")), 1);
        QCOMPARE(document().tags()[node("c")], TagAssignment::kUntagged);
        const int steps = document().steps().count();
        press(dialog, QDialogButtonBox::Ok);
        QCOMPARE(document().steps().count(), steps + 1);
        QCOMPARE(document().tags()[node("b")], 0);
        QCOMPARE(document().tags()[node("c")], 1);
        document().undo();
        QCOMPARE(document().tags()[node("c")], TagAssignment::kUntagged);
    }

    void theDagShowsTheCutBeforeItIsApplied()
    {
        PartitionDagPane& dag = workspace().partitionDag();
        QVERIFY(!dag.isVisible());
        BalanceDialog& dialog = show();
        QTRY_COMPARE(boxes().size(), 2U);
        QVERIFY(dag.isVisible());
        QVERIFY2(status(dag).contains("optimal, proven"), qPrintable(status(dag)));
        const QString cost = boxes()[0].cost;
        QVERIFY2(cost.endsWith("s"), qPrintable(cost)); // the load
        QVERIFY2(dagContent().totals.startsWith("largest load "), qPrintable(dagContent().totals)); // not of bytes
        QTest::keyClick(&test::childOf<QSpinBox>(dialog, "count"), Qt::Key_Up);
        settle();
        QTRY_COMPARE(boxes().size(), 3U);
        press(dialog, QDialogButtonBox::Cancel);
        QVERIFY(boxes().empty());
        QVERIFY(!dag.isVisible());
    }

    void theDagKeepsTheLoadsOfAnAppliedCut()
    {
        BalanceDialog& dialog = show();
        QTRY_COMPARE(boxes().size(), 2U);
        const QString load = boxes()[0].cost;
        press(dialog, QDialogButtonBox::Ok);
        actions().pass("split")->trigger();
        QTRY_COMPARE(boxes().size(), 2U);
        settle();
        QCOMPARE(boxes()[0].cost, load);
        QVERIFY2(dagContent().totals.startsWith("largest load ") && dagContent().totals.contains("cut "),
                 qPrintable(dagContent().totals));
    }

    void theDagOfARunReturnsAfterThePreview()
    {
        document().tagSources().tagInStages(4, StageMeasure::nodes);
        actions().pass("split")->trigger();
        QTRY_COMPARE(boxes().size(), 4U);
        PartitionDagPane& dag = workspace().partitionDag();
        setDevices(1e9);
        BalanceDialog& dialog = show();
        QTRY_COMPARE(boxes().size(), 2U);
        QCOMPARE(lane(0), QString("fast"));
        QVERIFY2(status(dag).contains("Preview"), qPrintable(status(dag)));
        press(dialog, QDialogButtonBox::Cancel);
        QTRY_COMPARE(boxes().size(), 4U);
        QVERIFY2(!status(dag).contains("Preview"), qPrintable(status(dag)));
        QVERIFY(dag.isVisible());
    }

    void aDraggedBoundaryShowsTheLoadsAndTheirChange()
    {
        setDevices(1e9);
        press(show(), QDialogButtonBox::Ok); // the fast device has a, b, c
        SequenceStrip& strip = sourcePane().sequence().strip();
        const BoundaryCard& card = sourcePane().sequence().card();
        const QPoint from = strip.handleRect(0).center().toPoint();
        QTest::mousePress(&strip, Qt::LeftButton, {}, from);
        settle();
        const auto shows = [&card](const char* words) { return card.text().contains(QString::fromUtf8(words)); };
        QVERIFY2(shows("stage0 on fast: "), qPrintable(card.text()));
        QVERIFY2(shows("Largest load ") && !shows("Largest load 0"), qPrintable(card.text()));
        QVERIFY2(!shows("(+"), qPrintable(card.text())); // nothing has moved
        const QPoint to(from.x(), static_cast<int>(strip.scale().y(2)));
        QMouseEvent move(QEvent::MouseMove, to, strip.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::AltModifier);
        QCoreApplication::sendEvent(&strip, &move);
        QCOMPARE(strip.placeOf(0), 2U);
        QVERIFY2(shows("stage1 on slow: ") && shows("limited by compute · "), qPrintable(card.text()));
        QVERIFY2(shows(", stage1 (+"), qPrintable(card.text())); // the slow device has two of the four
        QVERIFY2(shows(" of 1.0 GB (+"), qPrintable(card.text())); // memory
        QTest::mouseRelease(&strip, Qt::LeftButton);
        settle();
        QCOMPARE(document().tags()[node("c")], 1);
        document().undo();
        QCOMPARE(document().tags()[node("c")], 0);
    }

    void theCardSaysWhyThereAreNoLoads()
    {
        setDevices(1e9);
        press(show(), QDialogButtonBox::Ok);
        std::vector<Device> devices = document().devices().list();
        for (Device& device : devices) {
            device.rates.clear();
            device.flopsPerSecond.reset();
        }
        document().devices().set(devices, "no rates");
        SequenceStrip& strip = sourcePane().sequence().strip();
        strip.setFocus(Qt::TabFocusReason);
        settle();
        const QString card = sourcePane().sequence().card().text();
        QVERIFY2(card.contains("No loads: ") && !card.contains("Largest load"), qPrintable(card));
    }

    void explainsWhyAnOpIsInItsStage()
    {
        setDevices(1e9);
        press(show(), QDialogButtonBox::Ok);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        document().marks().select({node("c")});
        QVERIFY(actions().whyHere->isEnabled());
        actions().whyHere->trigger();
        settle();
        auto& box = test::childOf<MessageDialog>(*m_window);
        QCOMPARE(box.headline(), QString("Why is c here?"));
        const QString why = box.explanation();
        QVERIFY2(why.startsWith("c is in stage0 on device \"fast\": "), qPrintable(why));
        QVERIFY2(why.contains("limited by compute. In stage1: "), qPrintable(why));
        QVERIFY2(why.contains("; the largest load is "), qPrintable(why));
        box.close();
    }

    void explainsWhatLimitsAPartInTheDag()
    {
        setDevices(1e9);
        press(show(), QDialogButtonBox::Ok);
        actions().pass("split")->trigger();
        QTRY_COMPARE(boxes().size(), 2U);
        QString said;
        document().loads().explainTag(1, document().tags(), [&said](const QString& why) { said = why; });
        settle();
        QVERIFY2(said.startsWith("stage1 on device \"slow\": 1 op, "), qPrintable(said));
        QVERIFY2(said.contains(", limited by compute. With '"), qPrintable(said));
        const QString part = std::exchange(said, {});
        document().loads().explainDevice(1, document().tags(), [&said](const QString& why) { said = why; });
        settle();
        QCOMPARE(said, part);
    }

    void enterInTheNumberOfStagesApplies()
    {
        BalanceDialog& dialog = show();
        QTest::keyClick(&test::childOf<QSpinBox>(dialog, "count"), Qt::Key_Return);
        settle();
        QCOMPARE(document().tags()[node("c")], 1);
    }

    void cancelLeavesTheTags()
    {
        BalanceDialog& dialog = show();
        press(dialog, QDialogButtonBox::Cancel);
        QCOMPARE(document().tagCount() == 0 || document().tags()[node("c")] == TagAssignment::kUntagged, true);
        QCOMPARE(canvas().pictureStyle().tag(node("c")), PictureStyle::kUntagged);
        QCOMPARE(jobs().runningCount(), 0);
    }

    void moreStagesAreSearchedAgain()
    {
        BalanceDialog& dialog = show();
        auto& count = test::childOf<QSpinBox>(dialog, "count");
        QTest::keyClick(&count, Qt::Key_Up);
        settle();
        QCOMPARE(rows(dialog), 3);
        QTest::keyClick(&test::childOf<QCheckBox>(dialog, "atModules"), Qt::Key_Space);
        settle();
        QCOMPARE(rows(dialog), 3);
        press(dialog, QDialogButtonBox::Cancel);
    }

    void devicesHaveTheirNamesAndMemory()
    {
        setDevices(1e9);
        BalanceDialog& dialog = show();
        QVERIFY(test::childOf<QRadioButton>(dialog, "byDevices").isChecked());
        const QAbstractItemModel& model = *test::childOf<QTableView>(dialog, "stages").model();
        QCOMPARE(model.index(1, BalanceModel::DeviceColumn).data().toString(), QString("slow"));
        QVERIFY(model.index(1, BalanceModel::MemoryColumn).data().toString().endsWith("of 1.0 GB"));
        QCOMPARE(model.index(0, BalanceModel::BindsColumn).data().toString(), QString("compute"));
        QCOMPARE(model.index(0, BalanceModel::OpsColumn).data().toString(), QString("3")); // it is three times as fast
        QVERIFY(model.index(0, BalanceModel::LoadColumn).data(BalanceModel::kBarRole).toDouble() > 0);
        press(dialog, QDialogButtonBox::Cancel);
    }

    void aFirstCutCanBeAppliedWhileABetterOneIsSearched()
    {
        openWideModel();
        actions().balance->trigger();
        BalanceDialog& dialog = test::childOf<BalanceDialog>(*m_window);
        QTRY_VERIFY2(quality(dialog).contains(" · searching…"), qPrintable(quality(dialog)));
        QVERIFY2(quality(dialog).contains("above optimal"), qPrintable(quality(dialog)));
        QCOMPARE(rows(dialog), 2);
        QCOMPARE(jobs().runningCount(), 1);
        press(dialog, QDialogButtonBox::Ok); // waits for the search to end, which it does at once
        QVERIFY(document().tags()[node("a0")] != TagAssignment::kUntagged);
        QCOMPARE(document().tags().order.size(), 2U);
    }

    void aModelThatDoesNotFitIsRefusedWithTheReason()
    {
        setDevices(1000);
        BalanceDialog& dialog = show();
        QVERIFY2(quality(dialog).contains("fit"), qPrintable(quality(dialog)));
        QVERIFY(!test::childOf<QDialogButtonBox>(dialog, "buttons").button(QDialogButtonBox::Ok)->isEnabled());
        QCOMPARE(rows(dialog), 0);
        press(dialog, QDialogButtonBox::Cancel);
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }

    /// A model of independent branches, whose cuts are too many to prove one optimal in a short search.
    void openWideModel()
    {
        std::string text = "x = placeholder() : 64x64\n";
        std::string results;
        for (int branch = 0; branch < 24; ++branch)
            text += "w" + std::to_string(branch) + " = placeholder() : 64x" + std::to_string(64 + branch * 37 % 101) + "\n";
        for (int branch = 0; branch < 24; ++branch) {
            const std::string number = std::to_string(branch);
            const std::string shape = " : 64x" + std::to_string(64 + branch * 37 % 101) + "\n";
            text += "a" + number + " = aten.mm.default(x, w" + number + ")" + shape;
            text += "b" + number + " = aten.relu.default(a" + number + ")" + shape;
            results += (branch > 0 ? ", b" : "b") + number;
        }
        writeModel(text + "output(" + results + ")\n");
        openModel();
    }

    BalanceDialog& show()
    {
        actions().balance->trigger();
        settle();
        return test::childOf<BalanceDialog>(*m_window);
    }

    void setDevices(double bytes)
    {
        const Device fast{.name = "fast",
                          .availableBytes = bytes,
                          .logicalId = 0,
                          .bandwidthBytesPerSecond = 1e12,
                          .memoryBytesPerSecond = 1e12,
                          .flopsPerSecond = 3e12,
                          .launchSeconds = 0.0,
                          .rates = {{"float32", 3e12}}};
        Device slow = fast;
        slow.name = "slow";
        slow.logicalId = 1;
        slow.rates = {{"float32", 1e12}};
        document().devices().set({fast, slow}, "Devices");
        settle();
    }

    const DagContent& dagContent() { return test::childOf<DagView>(workspace().partitionDag()).content(); }
    const std::vector<DagBox>& boxes() { return dagContent().boxes; }
    QString lane(std::size_t at) { return dagContent().lanes[at].name; }
    static QString status(const PartitionDagPane& dag) { return dag.header().status(); }

    static QString quality(const BalanceDialog& dialog) { return test::childOf<QLabel>(dialog, "quality").text(); }
    static int rows(const BalanceDialog& dialog) { return test::childOf<QTableView>(dialog, "stages").model()->rowCount(); }
    void press(const BalanceDialog& dialog, QDialogButtonBox::StandardButton which)
    {
        QTest::mouseClick(test::childOf<QDialogButtonBox>(dialog, "buttons").button(which), Qt::LeftButton);
        settle();
    }
};

const test::Registered<WindowBalanceTest> windowBalanceTest("window_balance_test");
#include "window_balance_test.moc"
