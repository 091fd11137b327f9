#include "app/actions.h"
#include "app/bottom_panel.h"
#include "app/dialog_room.h"
#include "app/side_column.h"
#include "app/workspace.h"
#include "dialogs/partition_dialog.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/outline_panel.h"
#include "panels/rules_panel.h"
#include "panels/tags_panel.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/shown_cut.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>

using namespace sunder;

/// A window of 720×450, as on a screen of 1440×900 at 200%: panels are folded until they are wanted.
class WindowLowTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        m_window->resize(720, 450);
        openModel();
        settle();
        QTRY_VERIFY(bottom().isFolded());
    }
    void cleanup() { closeWindow(); }

    void theGraphHasHalfOfTheHeight()
    {
        QVERIFY2(canvas().height() >= 220, qPrintable(QString::number(canvas().height())));
        QVERIFY2(canvas().width() >= 300, qPrintable(QString::number(canvas().width())));
        QVERIFY(!bottom().tabBar()->visibleRegion().isEmpty());
        QCOMPARE(bottom().geometry().bottom(), bottom().parentWidget()->height() - 1); // no hole below
        QVERIFY(bottom().height() <= bottom().tabBar()->height() + 2);
    }

    void aClickOnATabUnfoldsThePanelBelowAndAnotherFoldsIt()
    {
        const int height = canvas().height();
        clickTab(0);
        QTRY_VERIFY(!bottom().isFolded() && bottom().height() >= 100);
        QVERIFY(canvas().height() < height);
        clickTab(2);
        QVERIFY(!bottom().isFolded());
        QCOMPARE(bottom().currentIndex(), 2);
        clickTab(2);
        QTRY_COMPARE(canvas().height(), height);
        QVERIFY(bottom().isFolded());
        clickTab(1);
        QTRY_VERIFY(!bottom().isFolded());
        QCOMPARE(bottom().currentIndex(), 1);
    }

    void commandsUnfoldThePanelTheyGoTo()
    {
        actions().showRules->trigger();
        QTRY_VERIFY(!bottom().isFolded());
        QVERIFY(m_window->findChild<RulesPanel*>()->view().hasFocus());
        clickTab(bottom().currentIndex());
        QVERIFY(bottom().isFolded());
        actions().nextProblem->trigger();
        QVERIFY(!bottom().isFolded());
    }

    void twoPanelsOfTheSideAreOpen()
    {
        auto* tags = m_window->findChild<TagsPanel*>();
        auto* devices = m_window->findChild<DevicesPanel*>();
        const auto* outline = m_window->findChild<OutlinePanel*>();
        const auto* inspector = m_window->findChild<InspectorPanel*>();
        QVERIFY(!side().isFolded(*outline) && side().isFolded(*tags) && side().isFolded(*devices)
                && !side().isFolded(*inspector));
        QTRY_VERIFY(side().sizes().front() > 100);
        QTest::mouseClick(tags, Qt::LeftButton, {}, {20, 10}); // its header
        QVERIFY(!side().isFolded(*outline) && !side().isFolded(*tags) && side().isFolded(*devices)
                && side().isFolded(*inspector));
        QTRY_VERIFY(side().sizes()[1] > 100);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        devices->view().setFocus();
        QVERIFY(side().isFolded(*outline) && !side().isFolded(*tags) && !side().isFolded(*devices));
        const auto* title = inspector->findChild<QWidget*>("title");
        QCOMPARE(title->visibleRegion().boundingRect(), title->rect()); // to click at
    }

    void aHigherWindowShowsAllOfThem()
    {
        const QList<int> low = side().sizes();
        m_window->resize(1440, 900);
        QTRY_VERIFY(!bottom().isFolded() && bottom().height() >= 100);
        for (const QWidget* panel : std::initializer_list<QWidget*>{
                 m_window->findChild<OutlinePanel*>(), m_window->findChild<TagsPanel*>(), m_window->findChild<DevicesPanel*>()})
            QVERIFY(!side().isFolded(*panel));
        clickTab(bottom().currentIndex());
        QVERIFY(!bottom().isFolded()); // a click folds nothing here
        m_window->resize(720, 450);
        QTRY_VERIFY(bottom().isFolded());
        QTRY_COMPARE(side().sizes(), low);
    }

    /// The texts of a partition have one line each, so that its graph is not hidden by them.
    void aPartitionLeavesMostOfALowPaneToItsGraph()
    {
        document().devices().set(
            {{.name = "dev0", .availableBytes = 60, .logicalId = 0}, {.name = "dev1", .availableBytes = 1e6, .logicalId = 1}},
            "devices");
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        PartitionDagPane& dag = workspace().partitionDag();
        QTRY_VERIFY(test::childOf<ShownCut>(dag).measure() != nullptr);
        clickTab(0); // unfolds the panel below
        settle();
        const auto& view = test::childOf<DagView>(dag);
        QVERIFY2(view.height() >= 80, qPrintable(QString::number(view.height())));
        auto* reason = dag.findChild<QLabel*>("reason");
        QVERIFY(reason->isVisible() && reason->height() < 3 * reason->fontMetrics().height());
        const QString whole = reason->toolTip();
        m_window->resize(1440, 900);
        QTRY_VERIFY(dag.findChild<QWidget*>("legend")->height() > 0);
        QVERIFY(!reason->text().endsWith(QChar(0x2026)));
        QVERIFY2(whole.simplified().startsWith(reason->text().left(40)), qPrintable(whole));
    }

    void aDialogHigherThanTheScreenScrollsAboveItsButtons()
    {
        actions().pass("partition")->trigger();
        auto* dialog = m_window->findChild<PartitionDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        fitInto(*dialog, {700, 380});
        settle();
        QVERIFY2(dialog->height() <= 380, qPrintable(QString::number(dialog->height())));
        const auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QVERIFY(buttons->isVisible());
        QVERIFY(dialog->rect().contains(QRect(buttons->mapTo(dialog, QPoint(0, 0)), buttons->size())));
        const auto* missing = dialog->findChild<QWidget*>("missing"); // why the button is disabled
        QVERIFY(missing->isVisible());
        QCOMPARE(missing->visibleRegion().boundingRect(), missing->rect());
        const auto* area = dialog->findChild<QScrollArea*>();
        QVERIFY(area != nullptr && area->isVisible());
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(area->widget()->width() <= area->viewport()->width());
        const auto* choice = dialog->findChild<QWidget*>("sizeBased");
        QCOMPARE(choice->visibleRegion().boundingRect(), choice->rect());
        fitInto(*dialog, {700, 360}); // also one that scrolls already
        QVERIFY(dialog->height() <= 360);
        dialog->close();
    }

private:
    BottomPanel& bottom() { return *m_window->findChild<BottomPanel*>(); }
    SideColumn& side() { return *m_window->findChild<SideColumn*>(); }
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    void clickTab(int tab) { QTest::mouseClick(bottom().tabBar(), Qt::LeftButton, {}, bottom().tabBar()->tabRect(tab).center()); }
};

const test::Registered<WindowLowTest> windowLowTest("window_low_test");
#include "window_low_test.moc"
