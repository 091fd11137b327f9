#include "app/project.h"
#include "panes/compare/compare_pane.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "partition_fixture.h"
#include "regions_fixture.h"
#include "test_case.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QToolButton>

#include <cmath>

using namespace sunder;

/// A reopened project shows what was visible when it was saved.
class WindowSavedViewTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepareRow();
        QSettings().clear();
        m_project = m_folder.filePath("saved.sunder");
        QFile::remove(m_project);
        showWindow();
    }
    void cleanup() { closeWindow(); }

    void theSourceHasTheColorsOfTheRunThatWasChosen()
    {
        openModel();
        split();
        document().painting().paint(std::array{node("second")}, 1);
        chooseColors("Run 1");
        QCOMPARE(colors().run(), 1);
        reopen();
        QTRY_COMPARE(colors().run(), 1);
        QCOMPARE(colors().text(), QString("Colors: run 1 ▾"));
        QCOMPARE(canvas().pictureStyle().tag(node("second")), 0); // as in the run
        QVERIFY(!document().isModified());
    }

    void theSourceFollowsTheShownCutAgain()
    {
        openModel();
        split();
        chooseColors("Current cut");
        reopen();
        QTRY_COMPARE(colors().run(), 1);
        chooseColors("Painted tags");
        reopen();
        settle();
        QCOMPARE(colors().run(), 0);
    }

    void nodesAreIsolatedAgain()
    {
        openModel();
        const std::size_t all = canvas().picture()->items.size();
        canvas().setZoom(0.7);
        document().marks().select({node("second")});
        actions().isolate->trigger();
        QTRY_VERIFY(canvas().picture()->items.size() < all);
        const std::size_t shown = canvas().picture()->items.size();
        reopen();
        QTRY_VERIFY(sourcePane().view().isIsolated());
        QTRY_VERIFY(canvas().picture() != nullptr);
        settle();
        QCOMPARE(canvas().picture()->items.size(), shown);
        actions().isolate->trigger(); // back to the whole graph as it was
        QTRY_COMPARE(canvas().picture()->items.size(), all);
        QTRY_COMPARE(canvas().camera().zoom(), 0.7);
    }

    void aClosedPaneStaysClosed()
    {
        openModel();
        split();
        settle();
        QVERIFY(dag().isVisible());
        emit dag().closeRequested();
        QVERIFY(!dag().isVisible());
        reopen();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        QVERIFY(submodules().isVisible());
        QVERIFY(!dag().isVisible());
    }

    void aPaneIsMaximizedAgain()
    {
        openModel();
        split();
        settle();
        emit submodules().maximizeRequested();
        QVERIFY(!sourcePane().isVisible());
        reopen();
        QTRY_COMPARE(workspace().maximized(), &submodules());
        QVERIFY(!sourcePane().isVisible());
        emit submodules().maximizeRequested();
        QVERIFY(sourcePane().isVisible());
        QVERIFY(dag().isVisible());
    }

    void theDagHasItsMemoryZoomAndGraphsAgain()
    {
        m_model = rowOf(12);
        partition();
        settle();
        auto* memory = dag().findChild<QComboBox*>("memory");
        memory->setCurrentIndex(1);
        settle();
        const QString before = totals();
        graphs().unfold(1);
        settle();
        dag().setZoom(1.25);
        const QPointF corner = view().corner();
        save();
        memory->setCurrentIndex(0);
        openProject();
        QTRY_COMPARE(memory->currentIndex(), 1);
        QTRY_COMPARE(totals(), before);
        QTRY_VERIFY(graphIn(1) != nullptr);
        QVERIFY(graphIn(0) == nullptr);
        QCOMPARE(view().zoom(), 1.25);
        QVERIFY(QPointF(view().corner() - corner).manhattanLength() < 2);
    }

    void runsAreComparedAgain()
    {
        openModel();
        split();
        document().painting().paint(std::array{node("second")}, 1);
        actions().pass("split")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 2U);
        workspace().compare(1, 2);
        ComparePane& compare = widget<ComparePane>();
        QTRY_VERIFY(compare.graphInFront() != nullptr && compare.canvasBefore().picture() != nullptr);
        settle();
        compare.canvasBefore().setZoom(0.6);
        reopen();
        QTRY_COMPARE(compare.after(), 2);
        QCOMPARE(compare.before(), 1);
        QVERIFY(compare.isVisible());
        QTRY_COMPARE(compare.canvasBefore().camera().zoom(), 0.6);
        QTRY_COMPARE(compare.canvasAfter().camera().zoom(), 0.6);
    }

    void theHierarchyShowsItsModuleAgain()
    {
        openSample();
        actions().pass("unflatten")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        HierarchyPane& hierarchy = widget<HierarchyPane>();
        QTRY_VERIFY(!hierarchy.viewState().empty() || hierarchy.graphInFront() != nullptr);
        emit hierarchy.modules().chosen(2);
        const QString path = hierarchy.currentPath();
        QVERIFY(!path.isEmpty());
        reopen();
        QTRY_COMPARE(hierarchy.currentPath(), path);
    }

    void theRegionsShowTheirOccurrenceAndMainGraphAgain()
    {
        m_model = m_folder.filePath("layers.fxj");
        QVERIFY(writeFxJson(test::programFromText(test::layers(4)), m_model.toStdString()).has_value());
        openModel();
        actions().pass("deduplicate")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        RegionsPane& regions = widget<RegionsPane>();
        regions.rail().setCurrentIndex(regions.rail().model()->index(2, 0));
        regions.tabs().setCurrentIndex(1);
        settle();
        document().marks().select({});
        reopen();
        QTRY_COMPARE(regions.tabs().currentIndex(), 1);
        QCOMPARE(regions.rail().currentIndex().row(), 2);
    }

    /// Earlier versions wrote views and options with Qt: other white space, and the members of objects in another order.
    void aProjectOfAnEarlierVersionOpens()
    {
        openModel();
        split();
        settle();
        chooseColors("Run 1");
        emit submodules().maximizeRequested();
        save();
        QFile file(m_project);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = QJsonDocument::fromJson(file.readAll()).toJson();
        file.close();
        QVERIFY(text.contains("\"colors\": 1"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        openProject();
        QTRY_COMPARE(workspace().maximized(), &submodules());
        QCOMPARE(colors().run(), 1);
        QVERIFY(!document().isModified());
    }

    void aRunThatIsGoneLeavesTheTags()
    {
        openModel();
        split();
        chooseColors("Run 1");
        save();
        QFile file(m_project);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        const QByteArray chosen = R"("colors":1)";
        QVERIFY(text.contains(chosen));
        text.replace(chosen, R"("colors":-7)");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        openProject();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        QCOMPARE(colors().run(), 0);
    }

private:
    SourceColors& colors() { return sourcePane().colors(); }
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    SubmodulesPane& submodules() { return widget<SubmodulesPane>(); }

    void chooseColors(const QString& start)
    {
        QMenu& menu = *colors().menu();
        emit menu.aboutToShow();
        const QList<QAction*> entries = menu.actions();
        const auto found = std::ranges::find_if(entries, [&](const QAction* entry) { return entry->text().startsWith(start); });
        QVERIFY(found != entries.end());
        (*found)->trigger();
    }

    void save() { QVERIFY(workflow().saveProject(project().state(), m_project)); }

    /// Saves the project, closes it, and opens it again.
    void reopen()
    {
        save();
        openProject();
    }

    void openProject()
    {
        forgetChanges();
        document().close();
        settle();
        QSignalSpy opened(&workflow(), &Workflow::projectOpened);
        m_window->openModel(m_project);
        QTRY_COMPARE(opened.count(), 1);
    }

    QString m_project;
};

const test::Registered<WindowSavedViewTest> windowSavedViewTest("window_saved_view_test");
#include "window_saved_view_test.moc"
