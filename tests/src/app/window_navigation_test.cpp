#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "panes/run_graph_view.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QSettings>
#include <QTreeWidget>

using namespace sunder;

/// Navigation history, the command palette, and commands on the selection.
class WindowGoingTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
        canvas().setFocus();
    }
    void cleanup() { closeWindow(); }

    void backAndForwardGoThroughSelections()
    {
        const std::vector<NodeId> all = document().graph().order();
        QVERIFY(!actions().back->isEnabled());
        document().marks().select({all[1]});
        document().marks().select({all[2]});
        document().marks().clear();
        document().marks().select({all[3]});
        actions().back->trigger();
        QCOMPARE(document().marks().selection().source, std::vector{all[2]});
        actions().back->trigger();
        QCOMPARE(document().marks().selection().source, std::vector{all[1]});
        actions().back->trigger(); // the starting point
        QVERIFY(document().marks().selection().source.empty());
        QVERIFY(!actions().back->isEnabled());
        actions().forward->trigger();
        QCOMPARE(document().marks().selection().source, std::vector{all[1]});
        actions().forward->trigger();
        QCOMPARE(document().marks().selection().source, std::vector{all[2]});
        document().marks().select({all[0]}); // clears the forward history
        QVERIFY(!actions().forward->isEnabled());
    }

    void backRestoresWhatWasOpenAndWhereOneLooked()
    {
        openSample();
        settle();
        GraphView& view = sourcePane().view();
        const NodeId tokens = document().graph().order().front();
        document().marks().select({tokens});
        settle();
        canvas().setCamera(Camera({20, 30}, 1.5));
        const GraphSight before = *view.sight();
        view.openAll();
        settle();
        QVERIFY(view.sight()->open != before.open);
        document().marks().select({document().graph().order().back()});
        actions().back->trigger(); // everything open, before the last selection
        QVERIFY(view.sight()->open.all);
        actions().back->trigger();
        settle();
        QCOMPARE(document().marks().selection().source, std::vector{tokens});
        QCOMPARE(view.sight()->open, before.open);
        QCOMPARE(canvas().camera(), before.camera);
        actions().forward->trigger();
        settle();
        QVERIFY(view.sight()->open.all);
    }

    void goingAlongAnEdgeIsAPlace()
    {
        click("first");
        QTest::keyClick(&canvas(), Qt::Key_Period);
        canvas().setZoom(2);
        const Camera before = canvas().camera();
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QVERIFY(canvas().camera() != before);
        actions().back->trigger();
        QCOMPARE(canvas().camera(), before);
        QVERIFY(document().marks().selection().edge);
    }

    void altWithAnArrowDoesNotWalkWhereThereIsNoWayBack()
    {
        const std::vector<NodeId> all = document().graph().order();
        document().marks().select({all[1]});
        QTest::keyClick(&canvas(), Qt::Key_Left, Qt::AltModifier); // the starting point
        QTest::keyClick(&canvas(), Qt::Key_Left, Qt::AltModifier);
        QVERIFY(document().marks().selection().source.empty());
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(&canvas(), Qt::Key_Right, Qt::AltModifier);
            QCOMPARE(document().marks().selection().source, std::vector{all[1]});
        }
    }

    void goToFindsANodeByItsLetters()
    {
        const NodeId last = document().graph().order().back();
        actions().goTo->trigger();
        auto* dialog = m_window->findChild<QDialog*>("quickPick");
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>("field");
        field->setText(QString::fromStdString(document().graph()[last].name.str()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().marks().selection().source, std::vector{last});
    }

    void goToFindsAModuleAndOpensWhatIsAround()
    {
        openSample();
        settle();
        actions().goTo->trigger();
        auto* dialog = m_window->findChild<QDialog*>("quickPick");
        auto* field = dialog->findChild<QLineEdit*>("field");
        field->setText("blocks.4.attention");
        auto* list = dialog->findChild<QTreeWidget*>("list");
        QCOMPARE(list->topLevelItem(0)->text(0), QString("blocks.4.attention"));
        QCOMPARE(list->topLevelItem(0)->text(1), QString("Attention"));
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QCOMPARE(document().marks().selection().what, QString("blocks.4.attention"));
        const ItemId item = canvas().scene().itemWithKey("blocks.4.attention");
        QVERIFY(item.isValid());
        QVERIFY(QRectF(canvas().rect()).intersects(canvas().viewRectOf(item)));
        QCOMPARE(canvas().currentItem(), item); // keyboard navigation continues from there
    }

    void thePaletteRunsACommandAndRemembersIt()
    {
        QSettings().remove("palette/recent");
        actions().palette->trigger();
        auto* dialog = m_window->findChild<QDialog*>("quickPick");
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>("field");
        field->setText("select all");
        auto* list = dialog->findChild<QTreeWidget*>("list");
        QCOMPARE(list->topLevelItem(0)->text(0), QString("Select all"));
        QVERIFY(!list->topLevelItem(0)->text(1).isEmpty()); // its shortcut
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().marks().selection().source.size(), document().graph().size());
        QCOMPARE(QSettings().value("palette/recent").toStringList().value(0), QString("Select all"));
    }

    void thePaletteShowsPanes()
    {
        const auto* dock = workspace().findChild<QDockWidget*>("partitionDag");
        QVERIFY(dock->isHidden());
        for (int times = 0; times < 2; ++times) {
            actions().palette->trigger();
            auto* dialog = m_window->findChild<QDialog*>("quickPick");
            QVERIFY(dialog != nullptr);
            auto* field = dialog->findChild<QLineEdit*>("field");
            field->setText("partition dag");
            QCOMPARE(dialog->findChild<QTreeWidget*>("list")->topLevelItem(0)->text(0), QString("Partition DAG"));
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(!dock->isHidden());
            QTRY_VERIFY(m_window->findChild<QDialog*>("quickPick") == nullptr);
        }
    }

    void namesAreCopied()
    {
        const std::vector<NodeId> all = document().graph().order();
        document().marks().select({all[1], all[0]});
        QTest::keyClick(&canvas(), Qt::Key_C, Qt::ControlModifier);
        const auto nameOf = [&](NodeId id) { return QString::fromStdString(document().graph()[id].name.str()); };
        QCOMPARE(QGuiApplication::clipboard()->text(), nameOf(all[0]) + "\n" + nameOf(all[1]));
        actions().copyPrinted->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("%" + nameOf(all[0]) + " : "));
    }

    void copyAndOwnSizeActOnThePaneInFront()
    {
        split();
        settle();
        widget<SubmodulesPane>().tabs().setCurrentIndex(1);
        settle();
        RunGraphView* view = widget<SubmodulesPane>().currentView();
        view->canvas().setFocus();
        const double sourceZoom = canvas().camera().zoom();
        view->canvas().setZoom(0.5);
        actions().actualSize->trigger();
        QCOMPARE(view->canvas().camera().zoom(), 1.0);
        QCOMPARE(canvas().camera().zoom(), sourceZoom);
        const Graph& graph = view->program()->graph(view->graphId());
        const NodeId input = graph.order().front(); // exists only in the part
        document().marks().selectIn(view->run(), {{view->graphId(), input}});
        QTest::keyClick(&view->canvas(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(graph[input].name.str()));
    }

    void theGraphIsShownAtItsOwnSize()
    {
        actions().actualSize->trigger();
        QCOMPARE(canvas().camera().zoom(), 1.0);
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
};

const test::Registered<WindowGoingTest> windowGoingTest("window_navigation_test");
#include "window_navigation_test.moc"
