#include "models/search_model.h"
#include "panels/inspector_panel.h"
#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

using namespace sunder;

/// Costs in the window: colors of the source, the outline, the search, the inspector, and tooltips.
class WindowCostsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        writeModel("x = placeholder() : 4x8\n"
                   "w = placeholder() : 8x16\n"
                   "v = placeholder() : 16x64\n"
                   "small = aten.mm.default(x, w) : 4x16 @ enc Linear\n"
                   "soft = aten.softmax.int(small, 1) : 4x16 @ enc Linear\n"
                   "act = aten.relu.default(soft) : 4x16\n"
                   "big = aten.mm.default(act, v) : 4x64 @ dec Linear\n"
                   "output(big)\n");
        showWindow();
        openModel();
        QApplication::setActiveWindow(m_window.get());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        sourcePane().view().openAll();
        settle();
    }
    void cleanup() { closeWindow(); }

    void flopsColorTheSourceOnALogarithmicScale()
    {
        chooseColors("FLOPs");
        QCOMPARE(colors().text(), QString("Colors: FLOPs ▾"));
        const std::optional<CostColors>& costs = canvas().pictureStyle().costs;
        QVERIFY(costs);
        QCOMPARE(costs->figures->of(node("small")).value, 1024.0);
        QCOMPARE(costs->figures->of(node("big")).value, 8192.0);
        QCOMPARE(costs->scale.low, 1024.0);
        QCOMPARE(costs->scale.high, 9216.0);
        QVERIFY(widget<CostLegend>().isVisible());
        QVERIFY(widget<CostLegend>().accessibleName().contains("from 1.0 kFLOP to 9.2 kFLOP"));
        QVERIFY(widget<CostLegend>().accessibleName().contains("a module has the sum of its ops"));
        const Theme& theme = *canvas().pictureStyle().theme;
        QCOMPARE(fillAt("big"), costColor(theme, costs->scale.at(8192)).rgb());
        QCOMPARE(fillAt("small"), costColor(theme, 0).rgb());
        QCOMPARE(fillAt("act"), theme.node.rgb());
        QCOMPARE(fillAt("soft"), costFill(*costs, {.uncounted = 1}, theme).rgb());
    }

    void closedModulesHaveTheSum()
    {
        chooseColors("FLOPs");
        sourcePane().view().foldAll();
        settle();
        const ItemId enc = canvas().picture()->itemOf[node("small").index()];
        const ItemLook look = canvas().scene().looks()[enc];
        QCOMPARE(look.cost.value, 1024.0);
        QCOMPARE(look.cost.uncounted, 1U);
        QVERIFY2(canvas().describeItem(enc).contains("1.0 kFLOP, 1 op not counted (11.1%)"),
                 qPrintable(canvas().describeItem(enc)));
    }

    void paintingShowsTagsAgain()
    {
        chooseColors("Bytes");
        QVERIFY(canvas().pictureStyle().costs);
        QTest::keyClick(&canvas(), Qt::Key_B);
        click("act");
        QVERIFY(!canvas().pictureStyle().costs);
        QVERIFY(!widget<CostLegend>().isVisible());
        QCOMPARE(colors().text(), QString("Colors: tags ▾"));
    }

    void secondsAppearWithADevice()
    {
        QVERIFY(!choices().contains("Seconds"));
        addDevice();
        QVERIFY(choices().contains("Seconds"));
        chooseColors("Seconds");
        QVERIFY(canvas().pictureStyle().costs);
        QCOMPARE(canvas().pictureStyle().costs->figures->of(node("act")).known, 1U);
        document().undo();
        settle();
        QVERIFY(!canvas().pictureStyle().costs); // and the legend says why
        QVERIFY(widget<CostLegend>().isVisible());
        QVERIFY(widget<CostLegend>().accessibleName().contains("No device"));
        document().redo();
        settle();
        QVERIFY(canvas().pictureStyle().costs);
    }

    void secondsAreForTheChosenDeviceAlsoInTheProject()
    {
        addDevice();
        QVERIFY(!choices().contains("Seconds for device")); // there is only one
        std::vector<Device> devices = document().devices().list();
        devices.push_back(devices.front());
        devices.back().name = "slow";
        devices.back().memoryBytesPerSecond = 1e6;
        document().devices().set(devices, "Add");
        settle();
        const std::int64_t slow = document().devices().list()[1].logicalId;
        chooseColors("Seconds");
        const auto seconds = [this] { return document().costs().figures("seconds")->of(node("act")).value; };
        const double fast = seconds();
        emit colors().menu() -> aboutToShow();
        for (const QAction* action : colors().menu()->actions())
            if (action->menu() != nullptr)
                action->menu()->actions().at(1)->trigger();
        settle();
        QVERIFY(seconds() > 10 * fast);
        QVERIFY2(colors().accessibleDescription().contains("slow"), qPrintable(colors().accessibleDescription()));
        const QString path = m_folder.filePath("device.sunder");
        QVERIFY(workflow().saveProject(project().state(), path));
        forgetChanges();
        document().close();
        settle();
        QVERIFY(!document().costs().chosenDevice());
        m_window->openModel(path);
        QTRY_VERIFY(document().isOpen());
        settle();
        QTRY_COMPARE(document().costs().chosenDevice(), std::optional(slow));
        QTRY_VERIFY(document().costs().figures("seconds") != nullptr);
        QVERIFY(seconds() > 10 * fast);
    }

    void measuredSecondsNeedNoDevice()
    {
        const QString path = m_folder.filePath("measured.csv");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("node,seconds\nbig,0.002\nsmall,0.001\n");
        file.close();
        document().costs().readMeasured(path);
        settle();
        chooseColors("Seconds");
        const std::optional<CostColors>& costs = canvas().pictureStyle().costs;
        QVERIFY(costs);
        QCOMPARE(costs->scale.high, 0.003);
        QCOMPARE(costs->figures->total.unknown, 2U); // "no value", not 0
        click("big");
        QCOMPARE(inspected("seconds"), QString("2 ms · 66.7% (measured.csv)"));
        click("act");
        QCOMPARE(inspected("seconds"), QString("no value"));
    }

    void anyNumberCanBeOverlaid()
    {
        const QString path = m_folder.filePath("numbers.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"main": {"results": {"big": {"value": -2}, "act": {"value": 4}}}})");
        file.close();
        document().costs().readNumbers(path);
        settle();
        QCOMPARE(document().costs().numbers().size(), 1U);
        const QString name = QString::fromStdString(document().costs().numbers().front()->name);
        chooseColors(name);
        const std::optional<CostColors>& costs = canvas().pictureStyle().costs;
        QVERIFY(costs && !costs->scale.isLogarithmic);
        QCOMPARE(fillAt("big"), costColor(*canvas().pictureStyle().theme, 0).rgb());
        QCOMPARE(fillAt("act"), costColor(*canvas().pictureStyle().theme, 1).rgb());
        click("big");
        QCOMPARE(inspected(name), QString("-2"));
        click("small");
        QCOMPARE(inspected(name), QString("no value"));
    }

    void theInspectorShowsCosts()
    {
        click("big");
        settle();
        QCOMPARE(inspected("FLOPs"), QString("8.2 kFLOP · 88.9%"));
        QCOMPARE(inspected("traffic"), QString("4.4 kB read, 1.0 kB written"));
        QCOMPARE(inspected("intensity"), QString("1.52 FLOP/B"));
        click("soft");
        QCOMPARE(inspected("FLOPs"), QString("not counted"));
        QCOMPARE(inspected("intensity"), QString());
        document().marks().select({node("small"), node("soft"), node("act")});
        QCOMPARE(inspected("FLOPs"), QString("1.0 kFLOP, 1 op not counted · 11.1%"));
    }

    void theOutlineSortsByAClickOnItsHeader()
    {
        OutlinePanel& outline = widget<OutlinePanel>();
        QTreeView& view = outline.view();
        QVERIFY(view.isHeaderHidden());
        chooseColors("FLOPs");
        QVERIFY(!view.isHeaderHidden());
        QCOMPARE(rowsOf(view), (QStringList{"x … v", "enc", "dec", "output"}));
        clickHeader(view, 1);
        QCOMPARE(rowsOf(view), (QStringList{"dec", "enc", "x … v", "output"}));
        QCOMPARE(view.model()->index(0, 1, view.model()->index(0, 0)).data().toString(), QString("8.2 kFLOP"));
        clickHeader(view, 1);
        QCOMPARE(rowsOf(view), (QStringList{"enc", "dec", "x … v", "output"}));
        clickHeader(view, 0);
        QCOMPARE(rowsOf(view).front(), QString("x … v"));
        // rows select the same ops as before
        clickHeader(view, 1);
        view.setCurrentIndex(view.model()->index(0, 0, view.model()->index(0, 0)));
        QCOMPARE(document().marks().selection().source, (std::vector{node("act"), node("big")})); // act is placed with its user
    }

    void theOutlineShowsCostsWithoutColors()
    {
        OutlinePanel& outline = widget<OutlinePanel>();
        auto& button = test::childOf<QToolButton>(outline, "cost");
        emit button.menu()->aboutToShow();
        for (QAction* action : button.menu()->actions())
            if (action->text() == "Bytes")
                action->trigger();
        settle();
        QVERIFY(!outline.view().isColumnHidden(1));
        QVERIFY(!canvas().pictureStyle().costs);
        QCOMPARE(button.text(), QString("Bytes ▾"));
    }

    void altUpSortsTheHits()
    {
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), "op:mm");
        auto& field = widget<SearchField>();
        QCOMPARE(hits(field), (QStringList{"small", "big"}));
        QTest::keyClick(&field, Qt::Key_Up, Qt::AltModifier);
        settle();
        QCOMPARE(hits(field), (QStringList{"big", "small"}));
        QCOMPARE(field.model().index(0).data(SearchModel::CostRole).toString(), QString("8.2 kFLOP · 88.9%"));
        QTest::keyClick(&field, Qt::Key_Up, Qt::AltModifier); // bytes
        QTest::keyClick(&field, Qt::Key_Up, Qt::AltModifier); // graph order
        QCOMPARE(hits(field).front(), QString("small"));
        field.setText("op:softmax");
        QCOMPARE(field.model().index(0).data(SearchModel::CostRole).toString(), QString("512 B · 7.0%"));
        QTest::keyClick(&field, Qt::Key_Escape);
    }

    void tooltipsShowCosts()
    {
        chooseColors("FLOPs");
        const QRectF at = canvas().viewRectOf(canvas().picture()->itemOf[node("big").index()]);
        QHelpEvent help(QEvent::ToolTip, at.center().toPoint(), canvas().mapToGlobal(at.center().toPoint()));
        QApplication::sendEvent(&canvas(), &help);
        QVERIFY2(QToolTip::text().contains("8.2 kFLOP (88.9%)"), qPrintable(QToolTip::text()));
    }

    void theChoiceIsSavedInTheProject()
    {
        chooseColors("Bytes");
        const QString path = m_folder.filePath("costs.sunder");
        QVERIFY(workflow().saveProject(project().state(), path));
        forgetChanges();
        document().close();
        settle();
        m_window->openModel(path);
        QTRY_VERIFY(document().isOpen());
        settle();
        QTRY_COMPARE(colors().text(), QString("Colors: Bytes ▾"));
        QVERIFY(canvas().pictureStyle().costs);
    }

private:
    SourceColors& colors() { return sourcePane().colors(); }
    CanvasWidget& canvas() { return sourcePane().canvas(); }

    QStringList choices()
    {
        emit colors().menu() -> aboutToShow();
        QStringList texts;
        for (const QAction* action : colors().menu()->actions())
            texts += action->text();
        return texts;
    }

    void chooseColors(const QString& wanted)
    {
        emit colors().menu() -> aboutToShow();
        for (QAction* action : colors().menu()->actions())
            if (action->text() == wanted)
                return action->trigger(), settle();
        QFAIL(qPrintable(wanted));
    }

    void addDevice()
    {
        document().devices().set({Device{.name = "fast",
                                         .availableBytes = 1e9,
                                         .memoryBytesPerSecond = 1e12,
                                         .flopsPerSecond = 1e14,
                                         .rates = {{"float32", 1e13}}}},
                                 "Add");
        settle();
    }

    /// Returns the color in the lower left part of an op's box, where it has no text.
    QRgb fillAt(const char* name)
    {
        canvas().fitAll();
        settle();
        const QRectF box = canvas().viewRectOf(canvas().picture()->itemOf[node(name).index()]);
        const QImage image = canvas().grab().toImage();
        return image.pixel(QPointF(box.left() + 4, box.bottom() - 4).toPoint() * image.devicePixelRatio());
    }

    QString inspected(const QString& key)
    {
        settle();
        const QAbstractItemModel& lines = *widget<InspectorPanel>().view().model();
        for (int row = 0; row < lines.rowCount(); ++row)
            if (lines.index(row, 0).data().toString() == key)
                return lines.index(row, 1).data().toString();
        return {};
    }

    static QStringList rowsOf(const QTreeView& view)
    {
        const QModelIndex root = view.model()->index(0, 0);
        QStringList names;
        for (int row = 0; row < view.model()->rowCount(root); ++row)
            names += view.model()->index(row, 0, root).data().toString();
        return names;
    }

    static void clickHeader(QTreeView& view, int section)
    {
        QHeaderView& header = *view.header();
        const QPoint at(header.sectionViewportPosition(section) + header.sectionSize(section) / 2, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
    }

    static QStringList hits(const SearchField& field)
    {
        QStringList names;
        for (int row = 0; row < field.model().rowCount(); ++row)
            names += field.model().index(row).data().toString();
        return names;
    }
};

const test::Registered<WindowCostsTest> windowCostsTest("window_costs_test");
#include "window_costs_test.moc"
