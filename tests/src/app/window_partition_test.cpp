#include "dialogs/partition_dialog.h"
#include "models/device_model.h"
#include "models/inspection.h"
#include "models/outline_model.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panels/outline_panel.h"
#include "panels/tags_panel.h"
#include "panes/compare/compare_pane.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QClipboard>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

using namespace sunder;

/// Partitions over devices in the real window: the form, the table of devices, and exported parts.
class WindowPartitionTest final : public test::PartitionFixture {
    Q_OBJECT

private:
    Property lineOf(const QString& key)
    {
        for (const Property& line : inspect(document()))
            if (line.key == key)
                return line;
        return {};
    }

    PartitionDialog* dialog()
    {
        actions().pass("partition")->trigger();
        auto* found = m_window->findChild<PartitionDialog*>();
        return found != nullptr && found->isVisible() ? found : nullptr;
    }

    static QModelIndex headingOf(ComparePane& pane, const QString& title)
    {
        const QAbstractItemModel& model = *pane.table().model();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data().toString() == title)
                return model.index(row, 0);
        return {};
    }

    static QStringList devicesIn(ComparePane& pane)
    {
        QStringList names;
        const QModelIndex heading = headingOf(pane, QStringLiteral("Devices"));
        for (int row = 0; heading.isValid() && row < heading.model()->rowCount(heading); ++row)
            names << heading.model()->index(row, 0, heading).data().toString();
        return names;
    }

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void theFormHasNoGapsAroundItsTitles()
    {
        openModel();
        PartitionDialog* form = dialog();
        QVERIFY(form != nullptr);
        const auto check = [&] {
            settle();
            for (const char* name : {"methodTitle", "optionsTitle", "devicesTitle"}) {
                const auto& title = test::childOf<QLabel>(*form, name);
                QVERIFY2(title.height() <= title.sizeHint().height() + 1, name);
            }
        };
        check();
        QTRY_VERIFY(form->addDevicesButton().isEnabled());
        QTest::mouseClick(&form->addDevicesButton(), Qt::LeftButton);
        check(); // without the row that offered them
        QTest::keyClick(form, Qt::Key_Escape);
    }

    void offersDevicesThatHoldTheModelAndPartitionsOverThem()
    {
        openModel();
        PartitionDialog* form = dialog();
        QVERIFY(form != nullptr);
        QVERIFY(!form->partitionButton().isEnabled());
        QVERIFY2(form->missing().startsWith("No devices: "), qPrintable(form->missing()));
        QTRY_VERIFY(form->addDevicesButton().isEnabled());
        QTest::mouseClick(&form->addDevicesButton(), Qt::LeftButton);
        QCOMPARE(document().devices().list().size(), 3U);
        QVERIFY(form->partitionButton().isEnabled());
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QCOMPARE(document().runs().shownSplit()->split.parts.size(), 3U);
        QVERIFY(dag().isVisible());
        QVERIFY2(dag().header().status().endsWith(" · equivalent"), qPrintable(dag().header().status()));
        document().undo();
        QVERIFY(document().devices().list().empty());
    }

    void saysWhyItMadeWhatItMade()
    {
        partition(); // twelve ops of 128 B over three devices of 700 B
        QVERIFY2(dagReason().contains("submod_0 ends before c4, which needs 128 B, but dev0 has only 60 B left"),
                 qPrintable(dagReason()));
        document().marks().select({call(4)});
        const Property part = lineOf("part");
        QCOMPARE(part.value, QString("submod_1"));
        QVERIFY2(part.tip.contains("submod_0 has no room for it"), qPrintable(part.tip));
        QCOMPARE(lineOf("device").value, QString("dev1"));
        document().marks().select({call(3), call(4), call(5)});
        QCOMPARE(lineOf("parts").value, QString("submod_0 on dev0 · 1 op"));
        document().marks().select({call(4)});
        QVERIFY(actions().whyHere->isEnabled());
        actions().whyHere->trigger();
        auto* box = m_window->findChild<MessageDialog*>();
        QVERIFY(box != nullptr);
        QCOMPARE(box->headline(), QString("Why is c4 here?"));
        QVERIFY2(box->explanation().contains("c4 is in submod_1"), qPrintable(box->explanation()));
        box->close();
        QTRY_VERIFY(m_window->findChild<MessageDialog*>() == nullptr);
        document().marks().select(
            {*document().graph().nodes().begin(), call(4)}); // an input, as weights of modules are, and an op
        actions().whyHere->trigger();
        box = m_window->findChild<MessageDialog*>();
        QVERIFY(box != nullptr);
        QCOMPARE(box->headline(), QString("Why is c4 here?"));
        box->close();
        setDevices(3, 100'000); // a preview shows the reason as well
        QTRY_VERIFY2(dagReason().contains("The whole model fits on dev0"), qPrintable(dagReason()));
        QVERIFY2(dagReason().contains("dev1 and dev2 are empty"), qPrintable(dagReason()));
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

    void saysWhichFiguresOfDevicesAMethodDoesNotUse()
    {
        openModel();
        setDevices(2, 1000);
        PartitionDialog* form = dialog();
        const auto* unused = form->findChild<QLabel*>("unused");
        QVERIFY(!unused->isVisible());
        std::vector<Device> devices = document().devices().list();
        devices[0].speed = 2;
        devices[0].flopsPerSecond = 1e12;
        devices[1].bandwidthBytesPerSecond = 1e9;
        document().devices().set(devices, "figures");
        form->setMethod(PartitionDialog::Method::sizeBased);
        QVERIFY(unused->isVisible());
        QCOMPARE(unused->text(), QString("Not used by this method: speed, bandwidth and compute of the devices."));
        form->setMethod(PartitionDialog::Method::klBased);
        QVERIFY2(unused->text().endsWith("It uses the latencies and bandwidth above."), qPrintable(unused->text()));
        form->close();
    }

    void comparesDevicesAsTheyAreCalledNow()
    {
        partition(); // over dev0, dev1, dev2
        std::vector<Device> renamed = document().devices().list();
        renamed[0].name = "front";
        document().devices().set(renamed, "rename");
        workflow().partition({.is2020 = true, .config = {.devices = document().devices().list()}});
        QTRY_COMPARE(document().runs().list().size(), 2U);
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        QTRY_COMPARE(devicesIn(pane), QStringList({"front", "dev1", "dev2"}));
        const QModelIndex first = headingOf(pane, "Devices").model()->index(0, 0, headingOf(pane, "Devices"));
        QVERIFY(first.siblingAtColumn(1).data().toString() != "absent"); // the same device under another name
        QVERIFY(first.data(Qt::DecorationRole).isNull());
        renamed[0].color = "#117733";
        renamed[1].name = "middle";
        document().devices().set(renamed, "rename and recolour");
        QTRY_COMPARE(devicesIn(pane), QStringList({"front", "middle", "dev2"}));
        const QModelIndex again = headingOf(pane, "Devices").model()->index(0, 0, headingOf(pane, "Devices"));
        QVERIFY(!again.data(Qt::DecorationRole).isNull());
        QCOMPARE(pane.canvasAfter().pictureStyle().tags.front().style.color, QColor("#117733"));
        document().undo();
        QTRY_COMPARE(devicesIn(pane), QStringList({"front", "dev1", "dev2"}));
    }

    void theSourceIsColoredByTagsOrByARun()
    {
        partition();
        SourcePane& source = sourcePane();
        const auto codeOf = [&](int op) {
            const PictureStyle& style = source.canvas().pictureStyle();
            const TagLook* look = lookOfTag(style.tags, style.tag(call(op)));
            return look == nullptr ? QString() : look->code;
        };
        source.colors().showTags();
        QVERIFY(source.colors().text().contains("tags"));
        QCOMPARE(codeOf(0), QString());
        source.colors().followRuns();
        QVERIFY2(source.colors().text().contains("run 1"), qPrintable(source.colors().text()));
        QCOMPARE(codeOf(0), QString("P0"));
        QCOMPARE(codeOf(11), QString("P2"));
        for (const TagLook& look : source.canvas().pictureStyle().tags)
            QVERIFY(look.style.pattern != TagPattern::solid); // solid colors are tags
        document().painting().paint(std::array{call(0)}, 1);
        QCOMPARE(codeOf(0), QString("P0"));
        QVERIFY(source.canvas().pictureStyle().marked.empty());
        document().runs().hide(SplitOutcome::kKind);
        QCOMPARE(codeOf(0), QString("S1")); // no run is shown
        document().runs().show(1);
        QCOMPARE(codeOf(0), QString("P0"));
        source.colors().showRun(1);
        document().runs().hide(SplitOutcome::kKind);
        QCOMPARE(codeOf(0), QString("P0")); // that run, shown or not
        document().runs().discard(1);
        QCOMPARE(codeOf(0), QString("S1"));
    }

    void aNewPartitionColorsTheSourceByItself()
    {
        partition();
        SourcePane& source = sourcePane();
        const auto strip = [&]() -> const SequenceContent& { return source.sequence().strip().content(); };
        const auto* note = widget<TagsPanel>().findChild<QWidget*>("otherColors");
        const auto codesOf = [](const std::vector<TagLook>& looks) {
            QStringList codes;
            for (const TagLook& look : looks)
                codes += look.code;
            return codes;
        };
        const QStringList parts{"P0", "P1", "P2"};
        QVERIFY2(source.colors().text().contains("run 1"), qPrintable(source.colors().text()));
        QCOMPARE(codesOf(source.canvas().pictureStyle().tags), parts);
        QCOMPARE(codesOf(static_cast<const OutlineModel&>(*widget<OutlinePanel>().view().model()).looks(theme(false))), parts);
        QCOMPARE(codesOf(strip().looks), parts);
        QCOMPARE(strip().run, 1);
        QVERIFY(note->isVisible());

        // Boundaries of a run cannot be moved like those of tags.
        QSignalSpy said(&source.sequence().strip(), &SequenceStrip::message);
        source.sequence().strip().setFocus();
        QTest::keyClick(&source.sequence().strip(), Qt::Key_Down);
        QTRY_COMPARE(said.size(), 1);
        QVERIFY(said.front().front().toString().contains("run 1"));

        QTest::mouseClick(note->findChild<QToolButton*>("showTags"), Qt::LeftButton); // and back again
        QCOMPARE(strip().run, 0);
        QVERIFY(source.colors().text().contains("tags"));
        document().runs().show(1);
        QVERIFY(source.colors().text().contains("tags"));

        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_COMPARE(document().runs().list().size(), 2U);
        QVERIFY(source.colors().text().contains("run 2"));
        document().painting().paint(std::array{call(0)}, 1); // painting shows tags again
        QVERIFY(source.colors().text().contains("tags"));
        QCOMPARE(strip().run, 0);
    }

    void outlineAndTagsFollowWhatTheColorsMean()
    {
        partition();
        const auto& outline = static_cast<const OutlineModel&>(*widget<OutlinePanel>().view().model());
        const auto shown = [&] {
            QStringList codes;
            const std::vector<TagLook> looks = outline.looks(theme(false));
            for (const TagShare& share : outline.index(0, 0).data(OutlineModel::SharesRole).value<TagShares>())
                codes += share.tag < 0 ? QString("none") : looks[static_cast<std::size_t>(share.tag)].code;
            return codes;
        };
        const auto* note = widget<TagsPanel>().findChild<QWidget*>("otherColors");
        sourcePane().colors().showTags();
        QVERIFY(!note->isVisible());
        QCOMPARE(shown(), QStringList{"none"});
        sourcePane().colors().followRuns();
        QCOMPARE(shown(), (QStringList{"P0", "P1", "P2"}));
        QVERIFY(note->isVisible());
        QCOMPARE(note->findChild<QLabel*>("whichColors")->text(), QString("The source shows run 1."));
        document().painting().paint(std::array{call(0)}, 0);
        QCOMPARE(shown(), (QStringList{"P0", "P1", "P2"}));
        QTest::mouseClick(note->findChild<QToolButton*>("showTags"), Qt::LeftButton);
        QVERIFY(sourcePane().colors().text().contains("tags"));
        QVERIFY(!note->isVisible());
        QCOMPARE(shown(), (QStringList{"S0", "none"}));
        sourcePane().colors().showRun(1);
        forgetChanges();
        openModel(); // another model does not have this run
        QTRY_VERIFY(!note->isVisible());
        QVERIFY(!shown().contains("P0"));
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
        file.write(R"({"mode":"cost_aware","devices":[],"transfer_rate_bytes_per_sec":2000000000,"node_to_latency":{)" + latencies
                   + "}}");
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
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
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
            document().painting().paint(std::array{call(i)}, i / 6);
        PartitionDialog* form = dialog();
        form->setMethod(PartitionDialog::Method::asTagged);
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QTRY_COMPARE(view().content().boxes.size(), 2U);
        QCOMPARE(view().content().lanes[1].name, QString("dev1"));
    }

    void saysWhyNothingFits()
    {
        openModel();
        setDevices(2, 10);
        workflow().partition({.config = {.devices = document().devices().list()}});
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("devices"), qPrintable(box->explanation()));
        QPushButton* again = box->button(actions().pass("partition")->text().remove('&'));
        QVERIFY(again != nullptr);
        again->click();
        QTRY_VERIFY(m_window->findChild<PartitionDialog*>() != nullptr); // to choose other options
    }

    // Devices by keys -------------------------------------------------------------------------

    void devicesAreWrittenByKeysAlone()
    {
        openModel();
        DeviceTable& table = widget<DevicesPanel>().view();
        table.setFocus();
        QVERIFY(table.hasFocus()); // even if the table is empty
        QGuiApplication::clipboard()->setText("name\tmemory\ncuda:0\t16 GB\ncuda:1\t512 MiB\ncpu\t1.5e9 B\n");
        QTest::keyClick(&table, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(document().devices().list().size(), 3U);
        QCOMPARE(document().devices().list()[1].availableBytes, 512.0 * 1024 * 1024);
        QCOMPARE(document().devices().list()[2].availableBytes, 1.5e9);
        table.setCurrentIndex(table.model()->index(0, 0));
        QTest::keyClick(&table, Qt::Key_Right);
        QCOMPARE(table.currentIndex().column(), static_cast<int>(DeviceModel::MemoryColumn)); // skips the usage bar
        QTest::keyClick(&table, Qt::Key_Return);
        QTest::keyClicks(m_window->focusWidget(), "24 GB");
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab); // to the next cell: the name of the next device
        QCOMPARE(document().devices().list()[0].availableBytes, 24e9);
        QTest::keyClicks(m_window->focusWidget(), "gpu");
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(document().devices().list()[1].name, std::string("gpu"));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(document().devices().list()[0].name, std::string("gpu"));
        QTest::keyClick(&table, Qt::Key_Delete);
        QCOMPARE(document().devices().list().size(), 2U);
        document().undo();
        document().undo();
        QCOMPARE(document().devices().list()[1].name, std::string("gpu"));
        const QString path = m_folder.filePath("devices.json");
        widget<DevicesPanel>().exportFile(path);
        const std::vector<Device> before = document().devices().list();
        QTest::keyClick(&table, Qt::Key_Delete);
        widget<DevicesPanel>().importFile(path);
        QVERIFY(document().devices().list() == before);
    }

    void aFileThatHoldsNoDevicesIsSaidWithWhatToDo()
    {
        openModel();
        setDevices(2, 1000);
        const QString path = m_folder.filePath("broken.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("[{\"name\": 5}]") > 0);
        file.close();
        widget<DevicesPanel>().importFile(path);
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        for (const char* said : {"broken.json", "[0].name", "available_mem_bytes", "unchanged"})
            QVERIFY2(box->explanation().contains(said), qPrintable(box->explanation()));
        QVERIFY(box->button("Choose another file…") != nullptr);
        QCOMPARE(document().devices().list().size(), 2U);
        QTest::mouseClick(box->button("Clear the table"), Qt::LeftButton);
        QTRY_VERIFY(document().devices().list().empty());
        document().undo();
        QCOMPARE(document().devices().list().size(), 2U);
    }

    // Export ----------------------------------------------------------------------------------

    /// Partitions a real model over three devices through the form and exports the parts. Runs them in PyTorch if it is
    /// installed.
    void partsOfAPartitionComputeWhatTheModelDoes()
    {
        m_model = QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        openModel();
        PartitionDialog* form = dialog();
        QVERIFY(form != nullptr);
        QTRY_VERIFY(form->addDevicesButton().isEnabled());
        QTest::mouseClick(&form->addDevicesButton(), Qt::LeftButton);
        QTest::mouseClick(&form->partitionButton(), Qt::LeftButton);
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QTRY_COMPARE(view().content().boxes.size(), 3U);
        const QString folder = m_folder.filePath("parts");
        ExportDialog* out = exportDialog("parts", folder);
        QTRY_VERIFY2(out->statusText().contains("Wrote 5 files"), qPrintable(out->statusText()));
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
};

const test::Registered<WindowPartitionTest> windowPartitionTest("window_partition_test");
#include "window_partition_test.moc"
