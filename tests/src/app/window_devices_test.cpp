#include "app/project.h"
#include "app/workflow.h"
#include "dialogs/links_dialog.h"
#include "models/device_model.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

using namespace sunder;

/// Devices belong to the model that they were described for, and to its project.
class WindowDevicesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QSettings().clear();
        m_project = m_folder.filePath("chain.sunder");
        QFile::remove(m_project);
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void theFirstModelIsOfferedNone()
    {
        QVERIFY(devices().empty());
        QVERIFY(!offer().isVisible());
    }

    void anotherModelHasNoneAndIsOfferedThem()
    {
        describeDevice();
        QVERIFY(!offer().isVisible());
        const std::vector<Device> described = devices();
        openSample();
        QVERIFY(devices().empty());
        QVERIFY(offer().isVisible());
        QVERIFY(!offer().visibleRegion().isEmpty());
        QVERIFY2(offer().toolTip().contains("gpu big"), qPrintable(offer().toolTip()));
        QTest::mouseClick(&offer(), Qt::LeftButton);
        QCOMPARE(devices(), described);
        QVERIFY(!offer().isVisible());
        QVERIFY(m_window->isWindowModified());
        actions().undo->trigger();
        QVERIFY(devices().empty());
        QVERIFY(offer().isVisible());
        QVERIFY(!m_window->isWindowModified());
    }

    void devicesOfAnEarlierSessionAreOfferedAndNotTaken()
    {
        describeDevice();
        const std::vector<Device> described = devices();
        forgetChanges();
        m_window->close();
        closeWindow();
        showWindow();
        openModel();
        QVERIFY(devices().empty());
        QVERIFY(document().checks().deviceFit() == nullptr);
        QTest::mouseClick(&offer(), Qt::LeftButton);
        QCOMPARE(devices(), described);
    }

    /// In the window, F2 renames the active tag, and digits choose one.
    void cellsAreEditedByTheKeysOfTheWindow()
    {
        document().tagList().add();
        document().tagList().add();
        document().tagList().setActive(0);
        describeDevice();
        DeviceTable& table = widget<DevicesPanel>().view();
        const QModelIndex memory = widget<DevicesPanel>().model().index(0, DeviceModel::MemoryColumn);
        const auto focusCell = [&] {
            table.setFocus();
            table.setCurrentIndex(memory);
        };
        focusCell();
        QTest::keyClick(&table, Qt::Key_F2);
        QVERIFY(qobject_cast<QLineEdit*>(table.indexWidget(memory)) != nullptr);
        QTest::keyClick(table.indexWidget(memory), Qt::Key_Escape);
        focusCell();
        QTest::keyClick(&table, Qt::Key_2);
        auto* editor = qobject_cast<QLineEdit*>(table.indexWidget(memory));
        QVERIFY(editor != nullptr);
        QCOMPARE(editor->text(), QStringLiteral("2"));
        QCOMPARE(document().activeTag(), 0);
        QTest::keyClicks(editor, " GB");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(devices()[0].availableBytes, 2e9);
    }

    void aProjectBringsItsDevicesBack()
    {
        paintBoth();
        describeDevice();
        const std::vector<Device> described = devices();
        QVERIFY(workflow().saveProject(project().state(), m_project));
        openSample();
        QVERIFY(devices().empty());
        QSignalSpy opened(&workflow(), &Workflow::projectOpened);
        m_window->openModel(m_project);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(devices(), described);
        QVERIFY(document().checks().deviceFit() != nullptr); // the check of tags uses them
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(!document().steps().canUndo());
    }

    void oneLinkForAllPairsIsEditedAndUndone()
    {
        describeTwo();
        LinksDialog& dialog = showLinks();
        QVERIFY(test::childOf<QRadioButton>(dialog, "byDevices").isChecked());
        auto& link = test::childOf<QLineEdit>(dialog, "link");
        link.setFocus();
        QTest::keyClicks(&link, "450 GB/s, 2 us, 120%");
        QVERIFY(test::childOf<QRadioButton>(dialog, "forAll").isChecked());
        QVERIFY(test::childOf<QLabel>(dialog, "refusal").text().startsWith("\"120%\" is not"));
        QVERIFY(!ok(dialog).isEnabled());
        link.selectAll();
        QTest::keyClicks(&link, "450 GB/s, 2 us, 50%");
        QTest::mouseClick(&ok(dialog), Qt::LeftButton);
        const DeviceLink stated{.bytesPerSecond = 450e9, .latencySeconds = 2e-6, .efficiency = 0.5};
        for (const Device& device : devices())
            QCOMPARE(device.links, std::vector{stated});
        document().undo();
        QVERIFY(devices()[0].links.empty());
    }

    void aLinkPerPairIsEditedAndKeptInTheProject()
    {
        describeTwo();
        LinksDialog& dialog = showLinks();
        auto& pairs = test::childOf<QTableView>(dialog, "pairs");
        const QModelIndex cell = pairs.model()->index(0, 1);
        QVERIFY2(cell.data().toString() == "100 GB/s, 80%", qPrintable(cell.data().toString())); // of the devices
        pairs.setCurrentIndex(cell);
        pairs.edit(cell);
        auto* editor = pairs.findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, "10 GB/s");
        QTest::keyClick(editor, Qt::Key_Return);
        settle(); // the view takes the text later
        QCOMPARE(cell.data().toString(), QString("10 GB/s"));
        QVERIFY(pairs.model()->index(1, 0).data().toString().startsWith("10 GB/s")); // the reverse direction follows
        QVERIFY(test::childOf<QRadioButton>(dialog, "byPair").isChecked());
        QTest::mouseClick(&ok(dialog), Qt::LeftButton);
        QCOMPARE(devices()[0].links, (std::vector<DeviceLink>{{.to = devices()[1].logicalId, .bytesPerSecond = 10e9}}));
        widget<DevicesPanel>().pasteRows("third\t1 GB"); // without a link
        const std::vector<Device> before = devices();
        QVERIFY(workflow().saveProject(project().state(), m_project));
        document().devices().set({}, "none");
        forgetChanges();
        workflow().openProjectFile(m_project);
        settle();
        QCOMPARE(devices(), before);
    }

private:
    void describeTwo()
    {
        widget<DevicesPanel>().pasteRows("Device\tMemory\tBandwidth\na\t8 GB\t100 GB/s\nb\t8 GB\t200 GB/s");
        QCOMPARE(devices().size(), std::size_t{2});
    }

    LinksDialog& showLinks()
    {
        auto& table = test::childOf<DeviceTable>(widget<DevicesPanel>());
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
        QTest::keyClick(&table, Qt::Key_Return, Qt::AltModifier);
        return test::childOf<LinksDialog>(*m_window);
    }

    static QPushButton& ok(LinksDialog& dialog)
    {
        return *test::childOf<QDialogButtonBox>(dialog, "buttons").button(QDialogButtonBox::Ok);
    }

    const std::vector<Device>& devices() { return document().devices().list(); }
    QToolButton& offer() { return *widget<DevicesPanel>().findChild<QToolButton*>("useLast"); }

    void describeDevice() { widget<DevicesPanel>().pasteRows("gpu big\t512 MiB"); }

    /// Skips the question about the open model.
    void openSample()
    {
        const SnapshotPtr before = document().snapshot();
        forgetChanges();
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QTRY_VERIFY(!document().isOf(before));
        settle();
    }

    QString m_project;
};

const test::Registered<WindowDevicesTest> windowDevicesTest("window_devices_test");
#include "window_devices_test.moc"
