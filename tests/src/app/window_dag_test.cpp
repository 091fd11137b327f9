#include "document/runs/compare_runs.h"
#include "models/device_model.h"
#include "models/tag_style_of.h"
#include "panels/devices_panel.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QSvgRenderer>

using namespace sunder;

/// The Partition DAG in the real window: its links to other panes, and graphs in its boxes.
class WindowDagTest final : public test::PartitionFixture {
    Q_OBJECT

private:
    static QImage imageOf(const QByteArray& file, const QString& suffix)
    {
        if (suffix != "svg")
            return QImage::fromData(file);
        QSvgRenderer renderer(file);
        QImage image(renderer.viewBox().size(), QImage::Format_ARGB32);
        QPainter painter(&image);
        renderer.render(&painter);
        return image;
    }

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void aClickOnABoxSelectsItsOps()
    {
        partition();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(1)));
        QCOMPARE(document().marks().selection().source, measure()->nodesOf(1));
        document().marks().select({call(0)});
        QCOMPARE(view().marks().selectedOps[0], 1U);
        QCOMPARE(view().marks().selectedOps[1], 0U);
    }

    void hoverGoesBothWays()
    {
        partition();
        QTest::mouseMove(view().viewport(), centerOf(box(2)));
        QTRY_COMPARE(document().marks().hovered(), measure()->nodesOf(2));
        QTest::mouseMove(&sourcePane().canvas(), QPoint(3, 3));
        document().marks().setHovered({call(0)});
        QTRY_VERIFY(view().marks().hoveredBoxes[0] != 0);
    }

    void aPartitionIsShownAtItsPeakAndTorchsCountIsASecondLine()
    {
        partition();
        const SplitOutcomePtr cut = measure()->cut();
        const auto used = [this] { return measure()->metrics().parts[0].sizes.usedBytes(); };
        const std::uint64_t peak = used();
        QCOMPARE(measure()->graph()->rule, MemoryRule::freesDead);
        QVERIFY(!totals().contains("never freed"));
        QVERIFY2(torchCount().contains(": no value is freed"), qPrintable(torchCount()));
        const Node& busiest = document().snapshot()->graph()[measure()->metrics().parts[0].peakAt];
        QVERIFY(
            view().describe(box(0)).contains(QStringLiteral("(peak at %1)\n").arg(QString::fromStdString(busiest.name.str()))));
        QVERIFY(view().describe(box(0)).contains("PyTorch counts "));

        auto* memory = dag().findChild<QComboBox*>("memory");
        QVERIFY(memory != nullptr && memory->isVisible());
        memory->setCurrentIndex(1);
        QTRY_COMPARE(measure()->graph()->rule, MemoryRule::keepsAll);
        QCOMPARE(measure()->cut(), cut);
        QVERIFY(used() > peak);
        QVERIFY2(totals().contains("never freed"), qPrintable(totals()));
        QVERIFY(torchCount().isEmpty());
        QCOMPARE(view().content().boxes[0].sizes.usedBytes(), cut->plan->dag[0].usedBytes); // exact to the byte, as in DAG.json
        memory->setCurrentIndex(0);
        QTRY_COMPARE(used(), peak);

        forgetChanges();
        splitChain(); // a split by tags has no partitioner figures
        QTRY_VERIFY(!memory->isVisible());
        QVERIFY(torchCount().isEmpty());
    }

    void thePeakIsTheSameInDagDevicesAndCompare()
    {
        partition();
        const std::uint64_t peak = view().content().boxes[0].sizes.usedBytes();
        const DeviceFit* fit = document().checks().deviceFit();
        QVERIFY(fit != nullptr);
        QCOMPARE(fit->loads[0].usedBytes(), view().content().boxes[0].onDevice());
        const Result<RunComparisonPtr> made = compareRuns(document().snapshot(), document().runs().shownSplit(),
                                                          document().runs().shownSplit(), document().devices().list(),
                                                          ProgressMonitor::none());
        QVERIFY(made.has_value());
        const auto& compared = std::get<CutRunComparison>((*made)->what);
        QCOMPARE(compared.cuts.after.parts[0].sizes.usedBytes(), peak);
        QVERIFY(compared.torchAfter && *compared.torchAfter > peak);
        QCOMPARE(compared.devices[0].usedAfter, std::optional(fit->loads[0].usedBytes()));
        const QModelIndex load = widget<DevicesPanel>().model().index(0, DeviceModel::LoadColumn);
        const QString tip = load.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("at their peak") && tip.contains("Torch counts "), qPrintable(tip));
    }

    void aPreviewFillsTheDeviceBars()
    {
        partition();
        std::vector<Device> more = document().devices().list();
        for (Device& device : more)
            device.availableBytes *= 1.25;
        document().devices().set(more, "more memory");
        QTRY_COMPARE(preview().state(), PartitionPreview::State::ready);
        QTRY_COMPARE(measure()->cut(), preview().outcome());
        const auto share = [this](int row) {
            return widget<DevicesPanel>().model().index(row, DeviceModel::LoadColumn).data(DeviceModel::UsedShareRole);
        };
        for (const DagBox& shown : view().content().boxes) {
            const DeviceFit* fit = document().checks().deviceFit();
            QVERIFY(fit != nullptr);
            const auto on = std::ranges::find_if(fit->loads, [&](const DeviceLoad& load) {
                return std::ranges::find(load.parts, shown.part) != load.parts.end();
            });
            QVERIFY(on != fit->loads.end());
            QCOMPARE(on->usedBytes(), shown.onDevice());
            QVERIFY(share(static_cast<int>(on - fit->loads.begin())).toDouble() > 0);
        }
        document().undo(); // the run is up to date again
        QTRY_COMPARE(preview().state(), PartitionPreview::State::none);
        QVERIFY(share(0).toDouble() > 0);
    }

    void aCutEdgeListsItsTensorsByMouseAndKeys()
    {
        partition();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(cutEdge(0)));
        QVERIFY(tensors().isVisible());
        QCOMPARE(tensors().model().rowCount(), 1);
        const NodeId crossing = tensors().model().node(0);
        QTreeView& rows = tensors().view();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualRect(rows.model()->index(0, 0)).center());
        QCOMPARE(document().marks().selection().source, std::vector{crossing});
        QTest::keyClick(&rows, Qt::Key_Escape);
        QVERIFY(!tensors().isVisible());

        view().setFocus();
        view().setCurrent(box(0));
        QTest::keyClick(&view(), Qt::Key_Right); // the handle of the outgoing value
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), cutEdge(0));
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(tensors().isVisible());
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), box(1));
        QTest::keyClick(&view(), Qt::Key_Down);
        QTest::keyClick(&view(), Qt::Key_Space);
        QCOMPARE(document().marks().selection().source, measure()->nodesOf(2));
    }

    void aSplitByTagsIsShownOnTheDevicesInOrder()
    {
        splitChain();
        QCOMPARE(view().content().lanes[0].name, QString()); // the box shows the name
        setDevices(2, 100);
        QCOMPARE(view().content().lanes[1].name, QString("dev1"));
        QVERIFY(view().content().boxes[0].overflow > 0);
        QVERIFY2(totals().contains("largest device dev"), qPrintable(totals()));
    }

    void theTotalsOfANarrowPaneWrapBetweenTheirFigures()
    {
        partition();
        auto* dock = workspace().findChild<QDockWidget*>("partitionDag");
        const auto* label = dag().findChild<QLabel*>("totals");
        for (const int width : {700, 420, 300}) {
            workspace().resizeDocks({dock}, {width}, Qt::Horizontal);
            settle();
            QCOMPARE(label->text().replace(QChar(QChar::Nbsp), u' '), totals());
            const QRect needed = label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 1000), Qt::TextWordWrap,
                                                                   label->text());
            QVERIFY2(label->height() >= needed.height() && label->width() >= needed.width(), qPrintable(label->text()));
        }
        QVERIFY(label->height() > 2 * label->fontMetrics().height());
        QVERIFY(label->text().contains(QString("imbalance%1").arg(QChar(QChar::Nbsp))));
    }

    // Graphs in boxes -------------------------------------------------------------------------

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
        document().marks().select({measure()->nodesOf(1).front()});
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

    void graphsStayWhenColorsChangeAndGoWithTheCut()
    {
        partition();
        graphs().unfold(0);
        QVERIFY(graphIn(0) != nullptr);
        std::vector<Device> devices = document().devices().list();
        devices[0].color = "#336699";
        document().devices().set(devices, "colour");
        QVERIFY(graphIn(0) != nullptr);
        QVERIFY(view().layoutOfContent().isUnfolded(0));
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_COMPARE(document().runs().shown(SplitOutcome::kKind), 2);
        QTRY_VERIFY(graphIn(0) == nullptr);
        QTRY_VERIFY(!view().layoutOfContent().isUnfolded(0));
    }

    // Pictures --------------------------------------------------------------------------------

    void writesTheWholeDagAsAPicture_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"svg", "png", "pdf"})
            QTest::addRow("%s", suffix) << suffix;
    }

    void writesTheWholeDagAsAPicture()
    {
        QFETCH(QString, suffix);
        partition();
        view().setFocus(); // the focused pane comes first
        actions().exportAll->trigger();
        auto* out = m_window->findChild<ExportDialog*>();
        out->setFormat("picture");
        const QString path = m_folder.filePath("dag." + suffix);
        out->setPath(path);
        QTest::mouseClick(&out->exportButton(), Qt::LeftButton);
        QTRY_VERIFY2(out->statusText().contains("Wrote"), qPrintable(out->statusText()));
        out->close();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        if (suffix == "pdf") {
            QVERIFY(bytes.startsWith("%PDF"));
            return;
        }
        if (suffix == "svg")
            for (const char* word : {"submod_0", "dev2", "1 tensor", "imbalance"})
                QVERIFY2(bytes.contains(word), word);
        const QImage image = imageOf(bytes, suffix);
        const DagLayout drawn = layOut(view().content(), {.width = image.width() - 32.0}); // minus a margin of 16 on both sides
        const QPointF corner = drawn.boxes[1].topLeft() + QPointF(16, 16);
        const QColor stripe = view().content().boxes[1].look.style.color;
        bool hasStripe = false; // with a pattern, since it is not a painted tag
        for (int y = 24; y < 36; ++y)
            hasStripe = hasStripe || image.pixelColor((corner + QPointF(2.5, y)).toPoint()) == stripe;
        QVERIFY(hasStripe);
        QCOMPARE(image.pixelColor((corner + QPointF(150, 48)).toPoint()), currentTheme().node);
    }
};

const test::Registered<WindowDagTest> windowDagTest("window_dag_test");
#include "window_dag_test.moc"
