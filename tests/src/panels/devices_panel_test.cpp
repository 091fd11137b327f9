#include "panels/devices_panel.h"

#include "analysis/device_presets.h"
#include "menus.h"
#include "models/device_model.h"
#include "models/tag_style_of.h"
#include "panel_fixture.h"
#include "panels/device_table.h"
#include "patience.h"
#include "test_case.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace sunder;

/// The table of devices on its own.
class DevicesPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        m_document->devices().set({{.name = "a", .availableBytes = 1e9, .logicalId = 0},
                                   {.name = "b", .availableBytes = 2e9, .logicalId = 1},
                                   {.name = "c", .availableBytes = 3e9, .logicalId = 2}},
                                  "devices");
        m_panel = std::make_unique<DevicesPanel>(*m_document);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void isEditedByKeys()
    {
        choose(1);
        press("Move up");
        QCOMPARE(names(), (QStringList{"b", "a", "c"}));
        QCOMPARE(m_panel->view().currentIndex().row(), 0); // follows the device
        press("Move up");
        QCOMPARE(names(), (QStringList{"b", "a", "c"})); // already the first
        press("Move down");
        QCOMPARE(names(), (QStringList{"a", "b", "c"}));
        choose(2);
        press("Remove");
        QCOMPARE(names(), (QStringList{"a", "b"}));
        QCOMPARE(m_panel->view().currentIndex().row(), 1); // the neighboring row
        press("Add a device");
        QCOMPARE(names().size(), 3);
        QCOMPARE(m_panel->view().currentIndex().row(), 2);
    }

    void barsShowWhatLiesOnADevice()
    {
        const auto share = [this](int row) {
            return m_panel->model().index(row, DeviceModel::LoadColumn).data(DeviceModel::UsedShareRole);
        };
        const auto said = [this](int row) {
            return m_panel->model().index(row, DeviceModel::LoadColumn).data(Qt::ToolTipRole).toString();
        };
        QVERIFY2(said(0).contains("No parts"), qPrintable(said(0)));
        m_document->tagList().add("p");
        m_document->tagList().add("q");
        m_document->painting().paint(std::vector{node("a"), node("b")}, 0);
        m_document->painting().paint(std::vector{node("c")}, 1);
        m_document->devices().set(
            {{.name = "a", .availableBytes = 16, .logicalId = 0}, {.name = "b", .availableBytes = 64, .logicalId = 1}}, "small");
        QCOMPARE(share(0).toDouble(), 3.0); // two values of 16 bytes, and the input
        QCOMPARE(share(1).toDouble(), 0.5);
        QVERIFY2(said(0).contains("48 B used") && said(0).contains("Over capacity by 32 B"), qPrintable(said(0)));
        QVERIFY(!(m_panel->model().flags(m_panel->model().index(0, DeviceModel::LoadColumn)) & Qt::ItemIsEditable));
        const auto isOverflow = [](const Problem& problem) { return problem.kind == Problem::Kind::overflow; };
        QVERIFY(std::ranges::any_of(m_document->checks().problems(), isOverflow));
        m_document->undo();
        QVERIFY(std::ranges::none_of(m_document->checks().problems(), isOverflow));
    }

    /// Also for a device of 0 B, and in proportion to the excess.
    void barsOfOverfullDevicesShowTheirRatio()
    {
        m_document->tagList().add("p");
        m_document->painting().paint(std::vector{node("a"), node("b"), node("c")}, 0);
        const auto redShare = [this](double bytes) {
            m_document->devices().set({{.name = "a", .availableBytes = bytes, .logicalId = 0}}, "one");
            const QModelIndex index = m_panel->model().index(0, DeviceModel::LoadColumn);
            QImage image(100, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            m_panel->view().itemDelegateForColumn(DeviceModel::LoadColumn)->paint(&painter, option, index);
            painter.end();
            int red = 0;
            for (int x = 0; x < image.width(); ++x)
                red += image.pixelColor(x, 12) == currentTheme().error ? 1 : 0;
            return red / 92.0; // without the free space on both sides
        };
        const double used = 48; // from above
        QCOMPARE(redShare(1000), 0.0);
        QVERIFY(std::abs(redShare(used / 1.25) - 0.2) < 0.08);
        QVERIFY(std::abs(redShare(used / 4) - 0.75) < 0.08);
        QVERIFY(redShare(1) > 0.85 && redShare(1) < 1); // a small share of the device remains visible
        QVERIFY(redShare(0) > 0.95);
    }

    void aDecimalCommaIsReadInACellAsInPastedRows()
    {
        const auto type = [this](int column, const char* figure) {
            QVERIFY2(m_panel->model().setData(m_panel->model().index(0, column), QString(figure), Qt::EditRole), figure);
        };
        type(DeviceModel::MemoryColumn, "1,5 GB");
        QCOMPARE(m_document->devices().list()[0].availableBytes, 1.5e9);
        type(DeviceModel::MemoryColumn, "1,500 MB"); // a thousands separator
        QCOMPARE(m_document->devices().list()[0].availableBytes, 1.5e9);
        type(DeviceModel::columnOf("speed"), "2,5");
        QCOMPARE(m_document->devices().list()[0].speed, 2.5);
        type(DeviceModel::columnOf("flops_per_s"), "312,5 TFLOP/s");
        QCOMPARE(m_document->devices().list()[0].flopsPerSecond, 312.5e12);
        m_panel->pasteRows("d\t1,5 GB\t2,5\n");
        QCOMPARE(m_document->devices().list().back().availableBytes, 1.5e9);
        QCOMPARE(m_document->devices().list().back().speed, 2.5);
        m_panel->pasteRows("Name,Memory,Compute\ne,\"1,5 GB\",\"312,5 TFLOP/s\"\n"); // quoted, since commas separate the fields
        QCOMPARE(m_document->devices().list().back().flopsPerSecond, 312.5e12);
    }

    void copiesRowsThatCanBePasted()
    {
        press("Copy as rows");
        const QString rows = QGuiApplication::clipboard()->text();
        QVERIFY2(rows.startsWith("a"), qPrintable(rows));
        m_document->devices().set({}, "none");
        QSignalSpy messages(m_panel.get(), &DevicesPanel::message);
        press("Paste rows");
        QCOMPARE(names(), (QStringList{"a", "b", "c"}));
        QCOMPARE(m_document->devices().list()[1].availableBytes, 2e9);
        QCOMPARE(messages.back()[0].toString(), QString("Pasted 3 devices."));
        m_panel->pasteRows("GPU\tYear\tMemory\nd\t2022\t8 GB\n");
        QCOMPARE(messages.back()[0].toString(), QString("Pasted 1 device; ignored columns: Year."));
        m_document->undo();
        m_document->undo();
        QVERIFY(m_document->devices().list().empty());
    }

    void saysWhyRowsAreNotPasted()
    {
        QSignalSpy failed(m_panel.get(), &DevicesPanel::failed);
        m_panel->pasteRows("a\tas much as there is\n");
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toString(), QString("Nothing was pasted"));
        QVERIFY2(failed[0][1].toString().contains("cuda:0, 16 GB"), qPrintable(failed[0][1].toString()));
        QCOMPARE(names().size(), 3);
    }

    void asksForTheUnitOfFigures()
    {
        QSignalSpy wanted(m_panel.get(), &DevicesPanel::unitsWanted);
        m_panel->pasteRows("d\t80\ne\t40\n");
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(names().size(), 3); // nothing is assumed to be bytes silently
        m_panel->pasteRows(wanted[0][0].toString(), {.memory = "GB"});
        QCOMPARE(names(), (QStringList{"a", "b", "c", "d", "e"}));
        QCOMPARE(m_document->devices().list()[3].availableBytes, 80e9);
        QSignalSpy refused(&m_panel->model(), &DeviceModel::refused);
        const QModelIndex memory = m_panel->model().index(0, DeviceModel::MemoryColumn);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get(), test::kHangMs));
        QVERIFY(!m_panel->model().setData(memory, "80", Qt::EditRole));
        QVERIFY2(refused[0][0].toString().contains("80 GB"), qPrintable(refused[0][0].toString()));
        QTRY_VERIFY(m_panel->findChild<QMenu*>("units") != nullptr); // asked at the cell
        auto* units = m_panel->findChild<QMenu*>("units");
        QCOMPARE(units->activeAction()->text(), QString("80 GB"));
        QTest::keyClick(units, Qt::Key_Down);
        QTest::keyClick(units, Qt::Key_Return);
        QCOMPARE(m_document->devices().list()[0].availableBytes, 80.0 * 1024 * 1024 * 1024);
        m_document->undo();
        QVERIFY(m_panel->model().setData(memory, "80 B", Qt::EditRole));
        QCOMPARE(m_document->devices().list()[0].availableBytes, 80.0);
    }

    void namesKeepTheirRoom()
    {
        m_panel->resize(600, 300);
        m_document->devices().set({{.name = "H100", .availableBytes = 80e9, .bandwidthBytesPerSecond = 900e9}}, "one");
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get(), test::kHangMs));
        QVERIFY(!m_panel->view().isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
        m_panel->resize(230, 300);
        QVERIFY(m_panel->view().isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
        QVERIFY(m_panel->view().columnWidth(DeviceModel::NameColumn) >= 60);
        const QString tip = m_panel->model().index(0, DeviceModel::NameColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("900 GB/s"), qPrintable(tip));
        m_panel->resize(600, 300);
        QVERIFY(!m_panel->view().isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
    }

    void namesAreWholeAndSpeedLeavesFirst()
    {
        std::vector<Device> devices{{.name = "cuda:0 of the left", .availableBytes = 16e9, .speed = 1.0},
                                    {.name = "cuda:1 of the left", .availableBytes = 16e9, .speed = 1.5}};
        devices[0].bandwidthBytesPerSecond = 9e11;
        m_document->devices().set(devices, "devices");
        m_panel->resize(700, 300);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get(), test::kHangMs));
        DeviceTable& rows = m_panel->view();
        QVERIFY(!rows.isColumnHidden(DeviceModel::columnOf("speed")));
        bool hasLeft = false;
        for (int width = 700; width > 330; width -= 10) {
            m_panel->resize(width, 300);
            const int name = rows.columnWidth(DeviceModel::NameColumn);
            QVERIFY2(name >= rows.sizeHintForColumn(DeviceModel::NameColumn),
                     qPrintable(QString("%1 of %2").arg(name).arg(width)));
            if (!rows.isColumnHidden(DeviceModel::columnOf("speed")))
                QVERIFY(!rows.isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
            hasLeft = hasLeft || rows.isColumnHidden(DeviceModel::columnOf("speed"));
        }
        QVERIFY(hasLeft);
    }

    void columnsSayWhatTheirFiguresAreUsedFor()
    {
        for (const DeviceFigure& figure : deviceFigures()) {
            const int column = DeviceModel::columnOf(figure.key);
            const QString tip = m_panel->model().headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains("Used by"), qPrintable(tip));
            QCOMPARE(tip.contains("partition methods"), column == DeviceModel::MemoryColumn);
        }
        for (const int column : {DeviceModel::ratesColumn(), DeviceModel::linksColumn()})
            QVERIFY(m_panel->model().headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().contains("Used by"));
    }

    void ratesAreTypedAsTheyAreShown()
    {
        DeviceModel& model = m_panel->model();
        const QModelIndex cell = model.index(0, DeviceModel::ratesColumn());
        QVERIFY(m_panel->view().isColumnHidden(DeviceModel::ratesColumn()));
        QVERIFY(model.setData(cell, "float32 19.5 TFLOP/s, bfloat16 312T", Qt::EditRole));
        QCOMPARE(m_document->devices().list()[0].rates, (std::vector<DeviceRate>{{"float32", 19.5e12}, {"bfloat16", 312e12}}));
        QCOMPARE(cell.data().toString(), QString("float32 19.5 TFLOP/s, bfloat16 312 TFLOP/s"));
        for (const char* wrong : {"flaot32 1 TFLOP/s", "float32", "float32 fast", "float32 0", "float32 1T, float32 2T"})
            QVERIFY2(!model.setData(cell, wrong, Qt::EditRole), wrong);
        QVERIFY(model.setData(cell, "", Qt::EditRole));
        QVERIFY(m_document->devices().list()[0].rates.empty());
        std::vector<Device> devices = m_document->devices().list();
        devices[0].links = {{.bytesPerSecond = 5e10, .latencySeconds = 2e-6}};
        m_document->devices().set(devices, "links");
        QCOMPARE(model.index(0, DeviceModel::linksColumn()).data().toString(), QString("50 GB/s, 2 µs to all devices"));
        QVERIFY(!model.index(0, DeviceModel::linksColumn()).flags().testFlag(Qt::ItemIsEditable));
    }

    void importsWhatItExported()
    {
        const QTemporaryDir folder;
        QSignalSpy messages(m_panel.get(), &DevicesPanel::message);
        m_panel->exportFile(folder.filePath("devices.json"));
        QCOMPARE(messages.size(), 1);
        const std::vector<Device> before = m_document->devices().list();
        m_document->devices().set({}, "none");
        m_panel->importFile(folder.filePath("devices.json"));
        QCOMPARE(names(), (QStringList{"a", "b", "c"}));
        QCOMPARE(m_document->devices().list()[2].availableBytes, before[2].availableBytes);
        QCOMPARE(messages.back()[0].toString(), QString("Imported 3 devices from devices.json."));
    }

    void saysWhyAFileIsNotImportedOrWritten()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("broken.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[{\"name\": 5}]");
        file.close();
        QSignalSpy failed(m_panel.get(), &DevicesPanel::failed);
        QSignalSpy notImported(m_panel.get(), &DevicesPanel::importFailed);
        m_panel->importFile(folder.filePath("broken.json"));
        m_panel->importFile(folder.filePath("nowhere.json"));
        m_panel->exportFile(folder.filePath("nowhere/devices.json"));
        QCOMPARE(notImported.size(), 2);
        const QString why = notImported[0][0].toString(); // the file, the position in it, and the expected value
        for (const char* said : {"broken.json", "[0].name", "available_mem_bytes"})
            QVERIFY2(why.contains(said), qPrintable(why));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toString(), QString("The devices were not exported"));
        QCOMPARE(names().size(), 3);
    }

    void columnsThatNobodyUsesTakeNoRoom()
    {
        QVERIFY(m_panel->view().isColumnHidden(DeviceModel::columnOf("speed")));
        QVERIFY(m_panel->view().isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
        QVERIFY(m_panel->view().isHeaderHidden());
        std::vector<Device> devices = m_document->devices().list();
        devices[0].speed = 2;
        m_document->devices().set(devices, "speed");
        QVERIFY(!m_panel->view().isColumnHidden(DeviceModel::columnOf("speed")));
        QVERIFY(m_panel->view().isColumnHidden(DeviceModel::columnOf("bandwidth_bytes_per_s")));
        QVERIFY(!m_panel->view().isHeaderHidden()); // the headers identify the columns
    }

    void offersWhatCanBeDoneWithADevice()
    {
        choose(0);
        const QStringList titles = openMenu();
        QVERIFY2(titles.contains("[Move up]") && titles.contains("Move down") && titles.contains("Remove"),
                 qPrintable(titles.join(',')));
        openMenu("Move down");
        QCOMPARE(names(), (QStringList{"b", "a", "c"}));
        openMenu("Speed and bandwidth…");
        QVERIFY(!m_panel->view().isColumnHidden(DeviceModel::columnOf("speed")));
        openMenu("Remove");
        QCOMPARE(names(), (QStringList{"b", "c"}));
    }

    void aPresetIsAddedWithWhatItsVendorSays()
    {
        QSignalSpy wanted(m_panel.get(), &DevicesPanel::presetsWanted);
        openMenu("Add a preset…");
        QCOMPARE(wanted.size(), 1);
        const std::size_t before = m_document->devices().list().size();
        m_panel->addPreset(*findDevicePreset("H100 SXM 80 GB"), 4);
        QCOMPARE(m_document->devices().list().size(), before + 4);
        QCOMPARE(m_document->steps().undoText(), QString("Add 4 × H100 SXM 80 GB"));
        const QModelIndex last = m_panel->model().index(m_panel->model().rowCount() - 1, DeviceModel::columnOf("flops_per_s"));
        QCOMPARE(last.data().toString(), QString("989.4 TFLOP/s"));
        const QString tip = last.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("memory bandwidth 3.35 TB/s") && tip.contains("Source: NVIDIA H100"), qPrintable(tip));
        QVERIFY(m_panel->model().setData(last, "1 PFLOP/s", Qt::EditRole));
        QCOMPARE(*m_document->devices().list().back().flopsPerSecond, 1e15);
        QVERIFY(!m_panel->model().setData(last, "fast", Qt::EditRole));
    }

    void offersNothingToExportWhereThereAreNone()
    {
        m_document->devices().set({}, "none");
        QCOMPARE(openMenu(), (QStringList{"Add a device", "Add a preset…", "Paste rows", "Import…", "[Export…]"}));
    }

private:
    void choose(int row) { m_panel->view().setCurrentIndex(m_panel->model().index(row, 0)); }

    /// Triggers this command as its shortcut does.
    void press(const QString& title)
    {
        for (QAction* action : m_panel->view().actions())
            if (action->text() == title)
                action->trigger();
    }

    QStringList openMenu(const QString& chosen = {})
    {
        return test::chooseInMenu([this] { emit m_panel->view().customContextMenuRequested({5, 5}); }, chosen);
    }

    QStringList names() const
    {
        QStringList names;
        for (const Device& device : m_document->devices().list())
            names << QString::fromStdString(device.name);
        return names;
    }

    std::unique_ptr<DevicesPanel> m_panel;
};

const test::Registered<DevicesPanelTest> devicesPanelTest("devices_panel_test");
#include "devices_panel_test.moc"
