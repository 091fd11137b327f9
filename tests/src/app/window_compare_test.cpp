#include "app/workspace.h"
#include "panels/runs_panel.h"
#include "panes/compare/compare_pane.h"
#include "panes/compare/cut_times.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTimer>
#include <QTreeView>

using namespace sunder;

/// Result panes next to the source, and the comparison of two runs, in the real window.
class WindowCompareTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void comparesTwoSplitsByKeyAndMarksWhatMoved()
    {
        splitTwice();
        QTreeView& runs = widget<RunsPanel>().view();
        m_window->findChild<QTabWidget*>("panel")->setCurrentWidget(&widget<RunsPanel>());
        runs.setCurrentIndex(runs.model()->index(1, 0)); // the older one
        runs.setFocus();
        QTest::keyClick(&runs, Qt::Key_C);
        ComparePane& pane = widget<ComparePane>();
        QVERIFY(pane.isVisible());
        QCOMPARE(pane.before(), 1);
        QCOMPARE(pane.after(), 2);
        QTRY_VERIFY2(pane.summary().contains("1 op moved"), qPrintable(pane.summary()));
        QTRY_VERIFY(pane.canvasAfter().picture() != nullptr);
        QCOMPARE(pane.canvasBefore().pictureStyle().tag(node("second")), 0);
        QCOMPARE(pane.canvasAfter().pictureStyle().tag(node("second")), 1);
        QVERIFY(pane.canvasBefore().pictureStyle().found.contains(node("second")));
        QVERIFY(!pane.canvasAfter().pictureStyle().found.contains(node("third")));
    }

    void selectingAGroupOfMovesSelectsItsOps()
    {
        splitTwice();
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        QAbstractItemModel& model = *pane.table().model();
        QTRY_VERIFY(model.rowCount() > 0);
        const QModelIndex group = model.index(0, 0, model.index(1, 0)); // below the totals
        QVERIFY(group.isValid());
        pane.table().setCurrentIndex(group);
        QCOMPARE(document().marks().selection().source, std::vector{node("second")});
        QVERIFY(pane.canvasAfter().pictureStyle().selected.contains(node("second")));
    }

    void anEdgeIsSelectedInBothPicturesAndInTheSource()
    {
        splitTwice();
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        QTRY_VERIFY(pane.canvasAfter().picture() != nullptr);
        settle();
        const std::int64_t at = edgeWith(*pane.canvasAfter().scenePicture(), {node("second"), node("third")});
        QVERIFY(at >= 0);
        emit pane.canvasAfter().edgeRequested(static_cast<std::uint32_t>(at));
        QVERIFY(document().marks().selection().edge);
        QCOMPARE(pane.canvasAfter().selectedEdge(), at);
        QCOMPARE(pane.canvasBefore().selectedEdge(), at);
        QVERIFY(sourcePane().canvas().selectedEdge() >= 0);
    }

    void bothPicturesShowTheSamePlace()
    {
        splitTwice();
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        QTRY_VERIFY(pane.canvasAfter().picture() != nullptr && !pane.canvasAfter().picture()->items.empty());
        pane.canvasAfter().zoomBy(1.5);
        QCOMPARE(pane.canvasBefore().camera().zoom(), pane.canvasAfter().camera().zoom());
    }

    void forgetsAComparisonWhoseRunIsDiscarded()
    {
        splitTwice();
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        QTRY_VERIFY(!pane.summary().isEmpty());
        document().runs().discard(1);
        QCOMPARE(pane.before(), 0);
        QVERIFY(pane.summary().isEmpty());
    }

    void comparesLoadsAndStepsByMouseAndKeys()
    {
        m_model = m_folder.filePath("products.fxj");
        writeModel("x = placeholder() : 256x512\n"
                   "w = placeholder() : 512x512\n"
                   "first = aten.mm.default(x, w) : 256x512\n"
                   "second = aten.mm.default(first, w) : 256x512\n"
                   "third = aten.mm.default(second, w) : 256x512\n"
                   "fourth = aten.mm.default(third, w) : 256x512\n"
                   "output(fourth)\n");
        openModel();
        document().tagSources().tagInStages(2, StageMeasure::nodes); // two ops each
        actions().pass("split")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        document().painting().paint(std::array{node("second")}, 1);
        actions().pass("split")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 2U);
        pressC(1);
        settle();
        QVERIFY2(headings().contains("Step, 1F1B × 8"), qPrintable(headings().join('\n')));
        const QStringList bound = cells("Loads", "Above the bound");
        QCOMPARE(bound.value(1), QString("optimal"));
        QVERIFY2(bound.value(2).startsWith("at most "), qPrintable(bound.join('\n')));
        QVERIFY(cells("Loads", "Largest load").value(3).startsWith("+"));
        const QStringList memory = cells("Step, 1F1B × 8", "Peak, device 1");
        QVERIFY2(memory.value(2).endsWith("B"), qPrintable(memory.join('\n')));
        const QString step = cells("Step, 1F1B × 8", "Time of a step").value(1);
        auto& batches = test::childOf<QSpinBox>(widget<ComparePane>(), "microBatches");
        QTest::mouseClick(&batches, Qt::LeftButton);
        QTest::keyClick(&batches, Qt::Key_Up);
        settle();
        QTest::keyClick(&test::childOf<QComboBox>(widget<ComparePane>(), "schedule"), Qt::Key_Up);
        settle();
        QVERIFY2(headings().contains("Step, GPipe × 9"), qPrintable(headings().join('\n')));
        QVERIFY(cells("Step, GPipe × 9", "Time of a step").value(1) != step);
        QTest::keyClick(&test::childOf<QComboBox>(widget<ComparePane>(), "optimizer"), Qt::Key_End); // Adam
        settle();
        QCOMPARE(test::childOf<CutTimes>(widget<ComparePane>()).figures().statesPerParameter, 2U);
        document().painting().paint(std::array{node("second")}, TagAssignment::kUntagged);
        QCOMPARE(cells("Loads", "Above the bound"), bound); // the runs stay
        m_model = m_folder.filePath("chain.fxj");
    }

    void comparesSearchesForRegions()
    {
        openModel();
        workflow().run("findRegions");
        QTRY_COMPARE(document().runs().list().size(), 1U);
        workflow().run("deduplicate");
        QTRY_COMPARE(document().runs().list().size(), 2U);
        pressC(0);
        ComparePane& pane = widget<ComparePane>();
        QTRY_COMPARE(pane.summary(), QString("no difference")); // the model has no repeated regions
        QTRY_VERIFY(headings().contains("Groups"));
        QVERIFY(headings().contains("Size"));
    }

    void comparesHierarchies()
    {
        m_model = QString::fromUtf8(SUNDER_SOURCE "/resources/samples/residual_cnn.pt2");
        openModel();
        workflow().run("unflatten");
        QTRY_COMPARE(document().runs().list().size(), 1U);
        workflow().run("unflatten", {{"asUpstream", true}});
        QTRY_COMPARE(document().runs().list().size(), 2U);
        pressC(0);
        ComparePane& pane = widget<ComparePane>();
        QTRY_COMPARE(pane.summary(), QString("no difference"));
        QVERIFY(headings().contains("Modules"));
        QVERIFY(pane.canvasAfter().pictureStyle().tags.empty());
        m_model = m_folder.filePath("chain.fxj");
    }

    void saysWhyRunsOfTwoKindsCannotBeCompared()
    {
        openModel();
        split();
        workflow().run("findRegions");
        QTRY_COMPARE(document().runs().list().size(), 2U);
        workspace().compare(1, 2);
        ComparePane& pane = widget<ComparePane>();
        const QStringList hints = hintsOf(pane);
        QVERIFY2(!hints.filter("only results of the same kind").isEmpty(), qPrintable(hints.join('\n')));
        QVERIFY(!hints.filter("Run 1 (Split by tags) splits the model into parts, but run 2 (Find regions)").isEmpty());
        pressC(0); // it is the only run of its kind
        QCOMPARE(pane.before(), 1);
    }

    void theHistoryIsKeptByKeyboard()
    {
        splitTwice();
        document().marks().select({node("first")}); // the target of Delete and F2 in other panes
        QTreeView& runs = widget<RunsPanel>().view();
        m_window->findChild<QTabWidget*>("panel")->setCurrentWidget(&widget<RunsPanel>());
        runs.setCurrentIndex(runs.model()->index(1, 0));
        runs.setFocus();
        QTest::keyClick(&runs, Qt::Key_Return);
        QCOMPARE(document().runs().shown(SplitOutcome::kKind), 1);
        QTest::keyClick(&runs, Qt::Key_F2);
        auto* editor = runs.findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->setText("before the move");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(document().runs().find(1)->name, QString("before the move"));
        QVERIFY(widget<SubmodulesPane>().header().status().contains("before the move"));
        runs.setFocus();
        QTest::keyClick(&runs, Qt::Key_Delete);
        QVERIFY(document().runs().find(1) == nullptr);
        QCOMPARE(document().tags()[node("first")], 0); // the tag is still assigned
        QCOMPARE(runs.currentIndex().row(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document().runs().find(1)->name, QString("before the move"));
    }

    void theHistoryIsKeptByMouse()
    {
        splitTwice();
        QTreeView& runs = widget<RunsPanel>().view();
        m_window->findChild<QTabWidget*>("panel")->setCurrentWidget(&widget<RunsPanel>());
        const QPoint older = runs.visualRect(runs.model()->index(1, 0)).center();
        QTest::mouseClick(runs.viewport(), Qt::LeftButton, {}, older);
        QCOMPARE(document().runs().shown(SplitOutcome::kKind), 2); // only selected
        QTest::mouseDClick(runs.viewport(), Qt::LeftButton, {}, older);
        QCOMPARE(document().runs().shown(SplitOutcome::kKind), 1);
        QStringList commands;
        QTimer::singleShot(0, this, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            for (const QAction* action : menu->actions())
                commands << action->text().section('\t', 0, 0);
            menu->close();
        });
        emit runs.customContextMenuRequested(older);
        QVERIFY2(commands.contains("Compare with run 2"), qPrintable(commands.join(',')));
        QVERIFY(commands.contains("Hide result") && commands.contains("Discard"));
    }

    void fillsTheWorkspaceWithAPaneAndGoesBack()
    {
        openModel();
        split();
        SubmodulesPane& pane = widget<SubmodulesPane>();
        QVERIFY(pane.isVisible() && sourcePane().isVisible());
        workspace().toggleMaximized(pane);
        QVERIFY(pane.isVisible() && !sourcePane().isVisible());
        workspace().toggleMaximized(pane);
        QVERIFY(pane.isVisible() && sourcePane().isVisible());
    }

    void closingItsLastPaneClosesTheResult()
    {
        openModel();
        split();
        emit widget<SubmodulesPane>().closeRequested();
        for (QDockWidget* dock : workspace().findChildren<QDockWidget*>())
            if (!dock->isHidden())
                dock->findChild<ResultPane*>()->closeRequested();
        QVERIFY(document().runs().shownSplit() == nullptr);
        QVERIFY(!widget<SubmodulesPane>().isVisible());
    }

    void arrangesByKey()
    {
        openModel();
        split();
        workspace().setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(!widget<SubmodulesPane>().isVisible());
        QVERIFY(sourcePane().canvas().hasFocus()); // ready for painting
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(widget<SubmodulesPane>().isVisible());
        QVERIFY(widget<SubmodulesPane>().width() > 300);
        QTest::keyClick(m_window.get(), Qt::Key_F7);
        QVERIFY(!workspace().partitionDag().visibleRegion().isEmpty()); // raised if the two are tabs
    }

    void remembersWherePanesAre()
    {
        openModel();
        split();
        auto* dock = workspace().findChild<QDockWidget*>("submodules");
        workspace().addDockWidget(Qt::LeftDockWidgetArea, dock);
        const QByteArray saved = workspace().saveArrangement();
        workspace().reset();
        QCOMPARE(workspace().dockWidgetArea(dock), Qt::RightDockWidgetArea);
        workspace().restoreArrangement(saved);
        QCOMPARE(workspace().dockWidgetArea(dock), Qt::LeftDockWidgetArea);
    }

private:
    /// Presses C on this row of the history, newest first.
    void pressC(int row)
    {
        QTreeView& runs = widget<RunsPanel>().view();
        m_window->findChild<QTabWidget*>("panel")->setCurrentWidget(&widget<RunsPanel>());
        runs.setCurrentIndex(runs.model()->index(row, 0));
        runs.setFocus();
        QTest::keyClick(&runs, Qt::Key_C);
    }

    QStringList headings()
    {
        const QAbstractItemModel& model = *widget<ComparePane>().table().model();
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, 0).data().toString();
        return texts;
    }

    static QStringList hintsOf(const QWidget& pane)
    {
        QStringList texts;
        for (const QLabel* label : pane.findChildren<QLabel*>())
            if (label->isVisible() && label->property("look") == QLatin1String("hint"))
                texts << label->text();
        return texts;
    }

    /// Returns the texts of a row of the comparison.
    QStringList cells(const QString& heading, const QString& what)
    {
        const QAbstractItemModel& model = *widget<ComparePane>().table().model();
        QStringList texts;
        const QModelIndex above = model.index(static_cast<int>(headings().indexOf(heading)), 0);
        for (int row = 0; row < model.rowCount(above); ++row)
            if (model.index(row, 0, above).data().toString() == what)
                for (int column = 0; column < model.columnCount(); ++column)
                    texts << model.index(row, column, above).data().toString();
        return texts;
    }

    void splitTwice()
    {
        openModel();
        split();
        document().painting().paint(std::array{node("second")}, 1);
        actions().pass("split")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 2U);
    }
};

const test::Registered<WindowCompareTest> windowCompareTest("window_compare_test");
#include "window_compare_test.moc"
