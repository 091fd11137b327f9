#include "app/document_commands.h"
#include "app/export_subjects.h"
#include "app/graph_menus.h"
#include "app/menus.h"
#include "app/recent_models.h"
#include "app/status_line.h"
#include "app/tool_bars.h"
#include "app/view_commands.h"
#include "app/welcome_models.h"
#include "app/window_settings.h"
#include "app/window_title.h"
#include "app/work_area.h"
#include "app/workspace.h"
#include "canvas/canvas_widget.h"
#include "command_fixture.h"
#include "models/elided_label.h"
#include "panels/search_field.h"
#include "panels/welcome_page.h"
#include "panes/source_pane.h"
#include "test_case.h"

#include <QDir>
#include <QLabel>
#include <QMenuBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>

using namespace sunder;

/// Menus, bars, sizes, and commands of the window, each on its own.
class WindowCommandsTest final : public test::CommandFixture {
    Q_OBJECT
private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }

    void selectsPaintsAndErases()
    {
        connectDocumentCommands(actions(), document());
        actions().selectAll->trigger(); // nothing is open, so nothing happens
        openModel(writeModel("chain.fxj"));
        actions().activeTag[1]->trigger();
        actions().selectAll->trigger();
        actions().paintSelection->trigger();
        QCOMPARE(tagOf("first"), 1);
        actions().eraseAll->trigger();
        QCOMPARE(tagOf("first"), -1);
        actions().clearSelection->trigger();
        QVERIFY(document().marks().selection().source.empty());
    }

    void saysThatThereIsNoSuchTag()
    {
        connectDocumentCommands(actions(), document());
        actions().activeTag[2]->trigger(); // nothing is open
        openModel(writeModel("chain.fxj"));
        QSignalSpy said(&document(), &Document::messageEmitted);
        QCOMPARE(document().tagCount(), 2);
        actions().activeTag[2]->trigger();
        QCOMPARE(document().activeTag(), 0);
        QCOMPARE(said.size(), 1);
        QCOMPARE(said[0][0].toString(), QString("There is no tag 3: the model has 2 tags. Add one with Paint › Add a tag."));
        actions().addTag->trigger();
        actions().activeTag[2]->trigger();
        QCOMPARE(said.size(), 1);
    }

    void enablesWhatThereIsSomethingFor()
    {
        showWhatIsPossible(actions(), document());
        QVERIFY(!actions().selectAll->isEnabled());
        QVERIFY(!actions().pass("split")->isEnabled());
        QVERIFY(actions().open->isEnabled());
        openModel(writeModel("chain.fxj"));
        showWhatIsPossible(actions(), document());
        QVERIFY(actions().selectAll->isEnabled());
        QVERIFY(actions().pass("split")->isEnabled());
        QVERIFY(!actions().paintSelection->isEnabled());
        QVERIFY(!actions().closeResult->isEnabled());
        QVERIFY(!actions().otherProgram->isEnabled());
        document().tagList().setActive(0);
        document().marks().select(std::vector{node("first")});
        showWhatIsPossible(actions(), document());
        QVERIFY(actions().paintSelection->isEnabled());
    }

    void changesToolsAndZoomOfTheSource()
    {
        WorkArea work(document(), m_parts->jobs);
        connectViewCommands(actions(), work.panes());
        CanvasWidget& canvas = work.panes().source().canvas();
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        QVERIFY(canvas.tool() == ToolKind::brush);
        const double radius = canvas.brushRadius();
        actions().largerBrush->trigger();
        QVERIFY(canvas.brushRadius() > radius);
    }

    void opensRecentModelsFromTheMenu()
    {
        QString opened;
        Preferences preferences(nullptr);
        QMenu bookmarks;
        addMenus(*m_parts->window.menuBar(), actions(), {}, [&](const QString& path) { opened = path; }, preferences, bookmarks);
        rememberModel("/models/one & two.pt2");
        QMenu* recent = nullptr;
        for (QMenu* menu : m_parts->window.menuBar()->findChildren<QMenu*>())
            if (menu->title() == "Open &recent")
                recent = menu;
        QVERIFY(recent != nullptr);
        emit recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 1);
        QCOMPARE(recent->actions().front()->text(), QString("one && two.pt2"));
        recent->actions().front()->trigger();
        QCOMPARE(opened, QString("/models/one & two.pt2"));
    }

    void hasPassesOnTheToolBarAndTheSearchBehindIt()
    {
        SearchField* search = addToolBars(m_parts->window, actions(), document(), m_parts->jobs);
        const QList<QToolBar*> bars = m_parts->window.findChildren<QToolBar*>();
        QCOMPARE(bars.size(), 2);
        QVERIFY(bars.back()->isAncestorOf(search));
    }

    void paintsFromTheMenuOfTheSelection()
    {
        openModel(writeModel("chain.fxj"));
        WorkArea work(document(), m_parts->jobs);
        QMenu without;
        fillSelectionMenu(without, document(), actions(), work.panes().regions(), {work.panes().source().view()});
        QVERIFY(without.actions().front() == actions().up);
        document().marks().select(std::vector{node("first")});
        QMenu with;
        fillSelectionMenu(with, document(), actions(), work.panes().regions(), {work.panes().source().view()});
        QCOMPARE(with.actions()[1]->text(), QString("Paint stage1"));
        with.actions()[1]->trigger();
        QCOMPARE(tagOf("first"), 1);
    }

    void offersRepairsOfABackwardEdgeOnly()
    {
        openModel(writeModel("chain.fxj"));
        const BackwardMark edge{.producer = node("first"), .consumer = node("second"), .title = {}, .detail = {}};
        QMenu none;
        fillRepairMenu(none, document(), edge);
        QVERIFY(none.isEmpty());
        document().painting().paint(std::array{node("first")}, 1);
        document().painting().paint(std::array{node("second")}, 0);
        QTRY_VERIFY(!document().checks().problems().empty());
        QMenu repairs;
        fillRepairMenu(repairs, document(), edge);
        QVERIFY(repairs.actions().size() > 2);
        QVERIFY(!repairs.actions().front()->isEnabled());
        repairs.actions()[2]->trigger();
        QTRY_VERIFY(document().checks().problems().empty());
    }

    void exportsWhatIsOpenAndWhatPanesShow()
    {
        openModel(writeModel("chain.fxj"));
        WorkArea work(document(), m_parts->jobs);
        const ExportSubject subject = exportSubjectOf(document(), work.panes());
        QCOMPARE(subject.name, document().displayName());
        QCOMPARE(subject.folder, m_folder->path());
        QVERIFY(subject.source == document().snapshot());
        QVERIFY(subject.results.empty());
        QCOMPARE(subject.pictures.size(), 1U);
        QVERIFY(m_folder->isValid() && QDir(m_folder->path()).mkdir("elsewhere"));
        rememberExportFolder(m_folder->filePath("elsewhere"));
        QCOMPARE(exportSubjectOf(document(), work.panes()).folder, m_folder->filePath("elsewhere"));
    }

    void titlesTheWindowByItsModel()
    {
        QCOMPARE(windowTitleOf(document()), QString("Sunder"));
        openModel(writeModel("a[*]b.fxj"));
        QCOMPARE(windowTitleOf(document()), QString("a[*][*]b[*] — Sunder"));
    }

    void countsInTheStatusLine()
    {
        StatusLine line(*m_parts->window.statusBar(), document(), m_parts->jobs);
        openModel(writeModel("chain.fxj"));
        line.showCounts(0, 2);
        line.say("Something happened.");
        const QString all = labelsOf(*m_parts->window.statusBar());
        QVERIFY2(all.contains("2 ops · 0% tagged · 2 warnings"), qPrintable(all));
        QVERIFY(all.contains("Something happened."));
        document().close();
        line.showCounts(0, 0);
        QVERIFY(!labelsOf(*m_parts->window.statusBar()).contains("ops"));
    }

    void saysOnTheTabHowManyProblemsThereAre()
    {
        WorkArea work(document(), m_parts->jobs);
        auto* tabs = work.findChild<QTabWidget*>("panel");
        work.showProblemCount(3);
        QCOMPARE(tabs->tabText(0), QString("Problems 3"));
        work.showProblemCount(0);
        QCOMPARE(tabs->tabText(0), QString("Problems"));
        work.showRuns();
        QCOMPARE(tabs->currentIndex(), 2);
        work.showProblems();
        QCOMPARE(tabs->currentIndex(), 0);
    }

    void hasTheSizesOfTheLastSession()
    {
        {
            WorkArea work(document(), m_parts->jobs);
            work.resize(1400, 900);
            work.reset({1400, 900});
            work.setSizes({400, 999});
            actions().showSide->setChecked(false);
            saveWindow(m_parts->window, work, actions(), document());
            m_sizes = work.sizes();
        }
        actions().showSide->setChecked(true);
        WorkArea work(document(), m_parts->jobs);
        work.resize(1400, 900);
        restoreWindow(m_parts->window, work, actions(), document());
        QCOMPARE(work.sizes(), m_sizes);
        QVERIFY(!actions().showSide->isChecked());
        resetWindow(m_parts->window, work, actions());
        QVERIFY(actions().showSide->isChecked());
        QVERIFY(work.sizes() != m_sizes);
    }

    void welcomesWithRecentModels()
    {
        rememberModel("/models/mine.pt2");
        WelcomePage page;
        showModels(page);
        QVERIFY(textsOf(page).contains("mine.pt2"));
    }

private:
    static QString labelsOf(const QWidget& widget)
    {
        QStringList texts;
        for (const QLabel* label : widget.findChildren<QLabel*>()) {
            const auto* elided = qobject_cast<const ElidedLabel*>(label);
            texts << (elided != nullptr ? elided->line() : label->text());
        }
        return texts.join('\n');
    }

    static QString textsOf(const QWidget& widget)
    {
        QStringList texts;
        for (const QWidget* child : widget.findChildren<QWidget*>())
            texts << child->property("text").toString() << child->accessibleName();
        return texts.join('\n');
    }

    QList<int> m_sizes;
};

const test::Registered<WindowCommandsTest> windowCommandsTest("window_commands_test");
#include "window_commands_test.moc"
