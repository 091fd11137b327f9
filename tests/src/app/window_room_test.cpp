#include "app/actions.h"
#include "app/bottom_panel.h"
#include "app/side_column.h"
#include "app/workspace.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/rules_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "panes/graph_view.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

using namespace sunder;

/// Division of the window among its parts.
class WindowRoomTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        m_window->resize(1440, 900);
        openModel();
        settle();
    }
    void cleanup() { closeWindow(); }

    void theTabsBelowKeepTheirHeightsAndPlaces()
    {
        auto* bottom = m_window->findChild<BottomPanel*>();
        const int height = bottom->height();
        const QRect runs = bottom->tabBar()->tabRect(2);
        for (int tab = 0; tab < bottom->count(); ++tab) {
            bottom->setCurrentIndex(tab);
            settle();
            QVERIFY2(bottom->height() == height, qPrintable(bottom->tabText(tab)));
        }
        const QListView& problems = widget<ProblemsPanel>().view();
        const int rows = problems.model()->rowCount();
        // Tags the last ops of the chain with an earlier tag than the op they read.
        document().painting().paint(std::array{node("first")}, 1);
        document().painting().paint(std::array{node("second"), node("third")}, 0);
        QTRY_VERIFY(problems.model()->rowCount() > rows);
        settle();
        QCOMPARE(bottom->height(), height);
        QVERIFY(bottom->tabText(0) != QString("Problems"));
        QCOMPARE(bottom->tabBar()->tabRect(2), runs);
    }

    void nothingShowsThroughAPane()
    {
        const QList<Pane*> panes = m_window->findChildren<Pane*>();
        QVERIFY(!panes.isEmpty());
        for (const Pane* pane : panes)
            QVERIFY2(pane->autoFillBackground(), qPrintable(pane->title()));
    }

    void theButtonsOfATabBelowAreWhole()
    {
        auto* bottom = m_window->findChild<BottomPanel*>();
        QVERIFY(bottom != nullptr);
        for (int tab = 0; tab < bottom->count(); ++tab) {
            bottom->setCurrentIndex(tab);
            settle();
            for (const QAbstractButton* button : bottom->currentWidget()->findChildren<QAbstractButton*>())
                if (button->isVisible())
                    QVERIFY2(button->height() >= button->minimumSizeHint().height(),
                             qPrintable(bottom->tabText(tab) + ": " + button->text()));
        }
    }

    void nothingMovesUnderAStroke()
    {
        CanvasWidget& canvas = sourcePane().canvas();
        const QListView& problems = widget<ProblemsPanel>().view();
        const QPoint second = canvas.viewRectOf(canvas.scene().itemOf(node("second"))).center().toPoint();
        canvas.setTool(ToolKind::brush);
        const int rows = problems.model()->rowCount();
        const int height = canvas.height();
        const Camera camera = canvas.camera();
        QVERIFY(canvas.isFitted());
        QTest::mousePress(&canvas, Qt::LeftButton, {}, second);
        QTRY_VERIFY(problems.model()->rowCount() > rows);
        settle();
        QCOMPARE(canvas.height(), height);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, second);
        settle();
        QCOMPARE(canvas.height(), height);
        QVERIFY(canvas.camera() == camera); // the view must not shift before the next stroke
        m_window->resize(1200, 900);
        QTRY_VERIFY(canvas.camera() != camera); // a resize fits the graph again
    }

    void theBottomHasRoomForButtonsAboveItsRows()
    {
        actions().showRules->trigger();
        auto* rules = m_window->findChild<RulesPanel*>();
        for (const char* name : {"apply", "revert"}) {
            const auto* button = rules->findChild<QPushButton*>(name);
            QTRY_VERIFY2(button->height() >= button->sizeHint().height(), name);
        }
        QVERIFY(rules->view().viewport()->height() >= 20); // at least one rule is visible
    }

    void aNarrowWindowKeepsAllPassesInSight()
    {
        const auto seen = [this] {
            QStringList texts;
            const auto* bar = m_window->findChild<QToolBar*>("toolBar");
            for (const QToolButton* button : bar->findChildren<QToolButton*>()) {
                if (button->isVisible() && bar->rect().contains(button->geometry()))
                    texts << button->text();
            }
            return texts;
        };
        const auto passes = [&] { return seen().filter(QRegularExpression("^(Split|Partition|Unflatten|Deduplicate)$")); };
        QCOMPARE(passes().size(), 4);
        m_window->resize(960, 700);
        QTRY_COMPARE(passes().size(), 4); // the file commands give way
        m_window->resize(1100, 700);
        QTRY_COMPARE(passes().size(), 4);
        QLineEdit& search = widget<SearchField>();
        QVERIFY(search.width() < 50); // only its icon
        search.setFocus();
        QTRY_VERIFY(search.width() >= 200);
        const auto* popup = m_window->findChild<QWidget*>("searchPopup"); // queries to choose from
        QTRY_VERIFY(popup->isVisible() && m_window->rect().contains(popup->geometry()));
        QTest::keyClicks(&search, "first");
        sourcePane().canvas().setFocus();
        QVERIFY(search.width() >= 200); // a search in progress stays visible
        search.clear();
        QTRY_VERIFY(search.width() < 50);
        m_window->resize(1440, 900);
        QTRY_VERIFY(search.width() >= 140);
        QVERIFY(!search.placeholderText().isEmpty());
    }

    void panelsOfTheSideKeepTheirHeights()
    {
        const QList<int> heights = side().sizes();
        document().marks().select({node("first")});
        settle();
        QCOMPARE(side().sizes(), heights);
        document().marks().clear();
        document().devices().set(std::vector<Device>(6, {.name = "gpu", .availableBytes = 8e9}), "devices");
        for (int i = 0; i < 12; ++i)
            document().tagList().add();
        settle();
        QCOMPARE(side().sizes(), heights);
    }

    void theSideIsDividedByNeed()
    {
        const auto rowsOfTags = [this] {
            const auto* rows = m_window->findChild<TagsPanel*>()->findChild<QAbstractItemView*>();
            return rows->viewport()->height() / rows->sizeHintForRow(0);
        };
        const QList<int> low = side().sizes();
        QVERIFY(rowsOfTags() >= 7);
        m_window->resize(1920, 2000);
        settle();
        const QList<int> high = side().sizes();
        for (int i = 0; i < low.size(); ++i)
            QVERIFY2(high[i] >= low[i] + 80, qPrintable(QString("%1: %2 of %3").arg(i).arg(high[i]).arg(low[i])));
        m_window->resize(1440, 900);
        QTRY_COMPARE(side().sizes(), low);
        QWidget* handle = side().handle(1);
        QTest::mousePress(handle, Qt::LeftButton, {}, {5, 0});
        QMouseEvent move(QEvent::MouseMove, QPointF(5, 40), handle->mapToGlobal(QPointF(5, 40)), Qt::NoButton, Qt::LeftButton,
                         {});
        QCoreApplication::sendEvent(handle, &move);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, {5, 0});
        QTRY_VERIFY(side().sizes() != low);
        const QList<int> chosen = side().sizes();
        forgetChanges();
        openModel();
        QCOMPARE(side().sizes(), chosen);
        actions().resetLayout->trigger();
        QTRY_COMPARE(side().sizes(), low);
    }

    void theSideHasNoHoles()
    {
        const auto* inspector = m_window->findChild<InspectorPanel*>();
        const auto* side = m_window->findChild<SideColumn*>();
        QVERIFY(side != nullptr);
        const auto bottom = [&] { return inspector->mapTo(side, inspector->rect().bottomLeft()).y(); };
        for (const bool selected : {false, true, false}) {
            document().marks().select(selected ? std::vector{node("first")} : std::vector<NodeId>());
            QTRY_COMPARE(bottom(), side->height() - 1);
            for (int i = 1; i < side->count(); ++i)
                QVERIFY(side->widget(i)->geometry().top() - side->widget(i - 1)->geometry().bottom() <= side->handleWidth() + 1);
        }
    }

    void inANarrowWindowTheSourceIsATabAmongTheResults()
    {
        const Workspace& panes = workspace();
        CanvasWidget& canvas = sourcePane().canvas();
        split();
        QVERIFY(!panes.isNarrow());
        canvas.setFocus();
        m_window->resize(1100, 700);
        QTRY_VERIFY(panes.isNarrow());
        QTRY_VERIFY(!canvas.visibleRegion().isEmpty()); // the focused pane
        QVERIFY(canvas.hasFocus());
        QVERIFY(panes.tabifiedDockWidgets(&dock("source")).contains(&dock("submodules")));
        QTRY_COMPARE(sourcePane().width(), panes.width());
        dock("submodules").raise();
        QTRY_COMPARE(dock("submodules").width(), panes.width());
        QVERIFY(canvas.visibleRegion().isEmpty());
        widget<SearchField>().setFocus();
        document().marks().select({node("second")});
        document().marks().reveal();
        QTRY_VERIFY(!canvas.visibleRegion().isEmpty());
        dock("submodules").raise();
        const QByteArray kept = panes.saveArrangement();
        m_window->resize(1440, 900);
        QTRY_VERIFY(!panes.isNarrow());
        QTRY_VERIFY(!canvas.visibleRegion().isEmpty() && !dock("submodules").widget()->visibleRegion().isEmpty());
        QVERIFY(dock("source").isHidden());
        workspace().restoreArrangement(kept); // saved in a narrow window
        settle();
        QVERIFY(!panes.isNarrow() && dock("source").isHidden());
        QVERIFY(!canvas.visibleRegion().isEmpty() && !dock("submodules").isHidden());
    }

    /// As at the start, when a window is resized before it is activated: keys must not go to the filter of the outline.
    void theGraphKeepsTheFocusOfAnInactiveWindowThatBecomesNarrow()
    {
        CanvasWidget& canvas = sourcePane().canvas();
        canvas.setFocus();
        QWidget other;
        other.show();
        other.activateWindow();
        QTRY_VERIFY(!m_window->isActiveWindow());
        m_window->resize(1100, 700);
        QTRY_VERIFY(workspace().isNarrow());
        QCOMPARE(m_window->focusWidget(), static_cast<QWidget*>(&canvas));
        m_window->resize(1440, 900);
        QTRY_VERIFY(!workspace().isNarrow());
        QCOMPARE(m_window->focusWidget(), static_cast<QWidget*>(&canvas));
    }

    void aNarrowWindowIsFilledByTheSourceInTheNextSessionToo()
    {
        m_window->resize(1100, 700);
        QTRY_VERIFY(workspace().isNarrow());
        for (int session = 0; session < 2; ++session) {
            forgetChanges();
            m_window->close();
            m_window = std::make_unique<MainWindow>(nullptr);
            m_window->resize(1100, 700);
            m_window->show();
            QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), test::kHangMs));
            openModel();
            settle();
            QTRY_VERIFY(workspace().isNarrow());
            QTRY_VERIFY2(dock("source").height() >= workspace().height() - 2,
                         qPrintable(QString("%1 of %2").arg(dock("source").height()).arg(workspace().height())));
        }
    }

    void aNarrowWorkspaceIsFilledByOnePaneAndComesBack()
    {
        Workspace& panes = workspace();
        m_window->resize(1100, 700);
        QTRY_VERIFY(panes.isNarrow());
        split();
        QVERIFY(sourcePane().visibleRegion().isEmpty()); // the result panes cover it
        panes.toggleMaximized(sourcePane());
        QTRY_VERIFY(!sourcePane().visibleRegion().isEmpty());
        QVERIFY(dock("submodules").isHidden());
        panes.toggleMaximized(sourcePane());
        QTRY_VERIFY(!dock("submodules").isHidden() && !dock("source").isHidden());
        actions().arrange[0]->trigger(); // the arrangement for painting
        QTRY_VERIFY(!sourcePane().visibleRegion().isEmpty());
        QVERIFY(dock("submodules").isHidden());
    }

    void resultPanesAreTabsUnlessEachHasRoomForAGraph()
    {
        const Workspace& panes = workspace();
        split();
        QCOMPARE(panes.rows(), 1);
        QVERIFY(panes.tabifiedDockWidgets(&dock("submodules")).contains(&dock("partitionDag")));
        for (const char* name : {"submodules", "partitionDag"}) {
            dock(name).raise();
            QTRY_VERIFY(!dock(name).widget()->visibleRegion().isEmpty());
            QVERIFY2(drawingHeight(name) >= 300, qPrintable(QString("%1: %2").arg(name).arg(drawingHeight(name))));
        }
        m_window->resize(1440, 1100);
        QTRY_COMPARE(panes.rows(), 2);
        QTRY_VERIFY(!dock("submodules").widget()->visibleRegion().isEmpty());
        QTRY_VERIFY(!dock("partitionDag").widget()->visibleRegion().isEmpty());
        for (const char* name : {"submodules", "partitionDag"})
            QTRY_VERIFY2(drawingHeight(name) >= 300, qPrintable(QString("%1: %2").arg(name).arg(drawingHeight(name))));
        dock("submodules").raise();
        m_window->resize(1440, 900);
        QTRY_COMPARE(panes.rows(), 1);
        QVERIFY(!dock("submodules").isHidden() && !dock("partitionDag").isHidden());
    }

    void whatThePersonHasPlacedStaysThere()
    {
        Workspace& panes = workspace();
        split();
        panes.addDockWidget(Qt::BottomDockWidgetArea, &dock("submodules"));
        m_window->resize(1440, 1300);
        settle();
        QCOMPARE(panes.dockWidgetArea(&dock("submodules")), Qt::BottomDockWidgetArea);
        const QByteArray kept = panes.saveArrangement();
        actions().resetLayout->trigger();
        QTRY_COMPARE(panes.rows(), 2);
        QCOMPARE(panes.dockWidgetArea(&dock("submodules")), Qt::RightDockWidgetArea);
        panes.restoreArrangement(kept);
        QCOMPARE(panes.dockWidgetArea(&dock("submodules")), Qt::BottomDockWidgetArea);
        m_window->resize(1440, 900);
        settle();
        QCOMPARE(panes.dockWidgetArea(&dock("submodules")), Qt::BottomDockWidgetArea);
    }

    void tagsShowEightRows()
    {
        auto* tags = m_window->findChild<TagsPanel*>();
        QVERIFY(tags != nullptr);
        const auto* rows = tags->findChild<QAbstractItemView*>();
        QVERIFY(rows != nullptr && rows->model()->rowCount() > 0);
        QVERIFY2(rows->viewport()->height() >= 8 * rows->sizeHintForRow(0) - 2,
                 qPrintable(QString("%1 for rows of %2").arg(rows->viewport()->height()).arg(rows->sizeHintForRow(0))));
    }

private:
    [[nodiscard]] QSplitter& side() const { return *m_window->findChild<SideColumn*>(); }
    void split()
    {
        document().painting().paint(document().graph().order(), 0);
        actions().pass("split")->trigger();
        QTRY_VERIFY(!dock("submodules").isHidden());
        settle();
    }
    [[nodiscard]] QDockWidget& dock(const char* name) const { return *workspace().findChild<QDockWidget*>(name); }
    /// Height of the drawing, without header, bars, and footer.
    [[nodiscard]] int drawingHeight(const char* name) const
    {
        GraphView* graph = qobject_cast<Pane*>(dock(name).widget())->graphInFront();
        return graph != nullptr ? graph->canvas().height() : test::childOf<DagView>(workspace()).height();
    }
};

const test::Registered<WindowRoomTest> windowRoomTest("window_room_test");
#include "window_room_test.moc"
