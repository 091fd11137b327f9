#include "app/bookmarks.h"
#include "app/project.h"
#include "app/recovery_offer.h"
#include "app/workspace.h"
#include "document/text.h"
#include "io/side_files/cut_summary_file.h"
#include "panels/notice_bar.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTimer>

#include <cmath>

using namespace sunder;

/// Projects from the first stroke to restoring.
class WindowProjectTest final : public test::WindowFixture {
    Q_OBJECT
private slots:
    void init()
    {
        prepare();
        QDir(unsavedFolder()).removeRecursively();
        m_project = m_folder.filePath("chain.sunder");
        QFile::remove(m_project);
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    /// Given the path of a model, a project with an appended suffix is written. Only a file that would really be replaced needs a
    /// confirmation.
    void savingAsAsksAboutTheFileThatItReplaces()
    {
        const QByteArray model = bytesOf(m_model);
        saveAs(m_model);
        QVERIFY(m_window->findChild<MessageDialog*>() == nullptr);
        QVERIFY(QFile::exists(m_model + ".sunder"));
        QCOMPARE(bytesOf(m_model), model);
        QCOMPARE(document().tagsPath(), m_model + ".sunder");
        QFile other(m_project);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("somebody's");
        other.close();
        QString asked;
        saveAs(m_project, &asked);
        QCOMPARE(asked, QString("chain.sunder already exists."));
        QCOMPARE(bytesOf(m_project), QByteArray("somebody's")); // left unchanged
    }

    void keepsAllThatWasDone()
    {
        split();
        document().runs().rename(1, "mine");
        document().devices().set({{.name = "gpu", .availableBytes = 8e9}}, "devices");
        document().tagList().recolor(0, QColor("#123456"));
        test::childOf<Bookmarks>(*m_window).add("here");
        QVERIFY(document().isModified());
        save();
        QVERIFY(!document().isModified());
        const std::vector<TagTraits> traits = document().tagTraits();
        open(m_project);
        QTRY_COMPARE(document().runs().list().size(), 1U);
        QCOMPARE(nameOf(document().runs().list()[0]), QString("mine"));
        QVERIFY(document().runs().shownSplit() != nullptr && document().runs().isSplitCurrent());
        QCOMPARE(document().filePath(), m_model);
        QCOMPARE(document().tagTraits(), traits);
        QCOMPARE(document().tags()[node("third")], 1);
        QCOMPARE(document().devices().list().front().name, std::string("gpu"));
        QCOMPARE(test::childOf<Bookmarks>(*m_window).all().front().name, std::string("here"));
        settle();
        QVERIFY(!document().isModified());
        QVERIFY(project().state().rest.runs.empty()); // all of them have been rebuilt
    }

    void keepsTheFiguresOfTheCutThatIsSaved()
    {
        paintBoth();
        save();
        const std::optional<CutSummary> first = keptFigures(readProjectFile(m_project.toStdString()).value());
        QVERIFY(first && first->parts.size() == 2);
        document().painting().paint(std::array{node("second")}, 1);
        save();
        const std::optional<CutSummary> second = keptFigures(readProjectFile(m_project.toStdString()).value());
        QVERIFY(second && second->parts.back().ops == first->parts.back().ops + 1);
    }

    void keepsMeasuredCostsAndNodeData()
    {
        write(m_folder.filePath("costs.json"), R"({"nodes":{"first":{"seconds":0.5,"extra_bytes":7}},"device":"cpu"})");
        write(m_folder.filePath("heat.json"), R"({"main":{"name":"heat","results":{"second":{"value":2}}}})");
        document().costs().readMeasured(m_folder.filePath("costs.json"));
        document().costs().readNumbers(m_folder.filePath("heat.json"));
        settle();
        QVERIFY(document().isModified());
        save();
        open(m_project);
        settle();
        QVERIFY(!document().isModified());
        const MeasuredNode first = document().costs().measured().of(node("first"));
        QCOMPARE(first.seconds, std::optional(0.5));
        QCOMPARE(first.extraBytes, 7U);
        QCOMPARE(document().costs().originsOf(std::array{node("first")}), QString("costs.json"));
        QCOMPARE(document().costs().numbers().front()->of(node("second")).value, 2.0);
        const ProjectFile kept = projectFileOf(project().state(), m_project);
        save();
        open(m_project);
        settle();
        QCOMPARE(projectFileOf(project().state(), m_project).costs, kept.costs);
    }

    void costsThatDoNotFitTheModelAreSaidAndKept()
    {
        save();
        ProjectFile file = readProjectFile(m_project.toStdString()).value();
        file.costs = R"({"nodes":{"gone":{"seconds":1}}})";
        QVERIFY(writeProjectFile(file, m_project.toStdString()));
        open(m_project);
        settle();
        QVERIFY(document().costs().measured().nodes.empty());
        QCOMPARE(project().state().rest.costs, file.costs);
    }

    /// Result panes open only after the source is visible.
    void comesBackToTheSightThatWasSaved()
    {
        document().close();
        openSample();
        settle();
        GraphView& view = sourcePane().view();
        splitSample();
        settle();
        const QSize besideResults = view.canvas().size();
        view.canvas().setCamera(Camera({30, 120}, 0.7));
        widget<SubmodulesPane>().tabs().setCurrentIndex(2);
        settle();
        const GraphSight saved = view.sight().value();
        save();
        open(m_project);
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        QCOMPARE(view.canvas().size(), besideResults);
        QCOMPARE(view.canvas().camera().zoom(), saved.camera.zoom());
        const QPointF moved = view.canvas().camera().toView(saved.camera.origin());
        QVERIFY2(std::abs(moved.x()) < 0.01 && std::abs(moved.y()) < 0.01,
                 qPrintable(QString("%1 %2").arg(moved.x()).arg(moved.y())));
        QVERIFY(view.sight()->open == saved.open);
        QCOMPARE(widget<SubmodulesPane>().tabs().currentIndex(), 2);
        QCOMPARE(view.sight()->columns->columnStarts.size(), saved.columns->columnStarts.size());
    }

    /// A run is rebuilt from the tags that it was made from, not from the current ones.
    void makesEarlierRunsAgainOfTheirOwnTags()
    {
        split();
        const TagAssignment then = *document().runs().shownSplit()->madeFrom;
        document().painting().paint(std::array{node("second")}, 1);
        save();
        open(m_project);
        QTRY_COMPARE(document().runs().list().size(), 1U);
        QCOMPARE(as<SplitOutcomePtr>(document().runs().list()[0].result)->madeFrom->tagOf, then.tagOf);
        QVERIFY(!document().runs().isSplitCurrent());
        document().painting().paint(std::array{node("second")}, 0);
        QVERIFY(document().runs().isSplitCurrent());
    }

    void makesPartitionsAgainWithTheirOptions()
    {
        document().close();
        openSample();
        workflow().partition({.config = {.saturateHost = true,
                                         .devices = {{.name = "a", .availableBytes = 8e9, .logicalId = 3},
                                                     {.name = "b", .availableBytes = 8e9, .logicalId = 4}}}});
        QTRY_COMPARE(document().runs().list().size(), 1U);
        save();
        open(m_project);
        QTRY_COMPARE(document().runs().list().size(), 1U);
        const PartitionRequest& request = document().runs().shownSplit()->plan->request;
        QVERIFY(request.config.saturateHost);
        QCOMPARE(request.devices()[1].logicalId, std::int64_t(4));
    }

    void runsKeepTheirNumbersAndNewOnesComeAfter()
    {
        split();
        workflow().run("split");
        QTRY_COMPARE(document().runs().list().size(), 2U);
        document().runs().discard(1);
        save();
        open(m_project);
        QTRY_COMPARE(document().runs().list().size(), 1U);
        QCOMPARE(document().runs().list()[0].number, 2);
        workflow().run("split");
        QTRY_COMPARE(document().runs().list().size(), 2U);
        QCOMPARE(document().runs().list()[1].number, 3);
    }

    void keepsWhatItDoesNotKnow()
    {
        save();
        QByteArray text = read(m_project);
        text.replace("\"sunder\": 1,", R"("sunder":1,"of_later":{"x":[1.50]},)");
        text.replace("\"runs\": []", R"("runs":[{"number":4,"pass":"of_later","name":"theirs"}])");
        write(m_project, text);
        open(m_project);
        settle();
        document().painting().paint(std::array{node("first")}, 1);
        save();
        const QByteArray again = read(m_project);
        for (const char* kept : {R"("of_later":{"x":[1.50]})", R"("name":"theirs")"})
            QVERIFY2(again.contains(kept), kept);
    }

    void aChangedModelIsSaid()
    {
        paintBoth();
        save();
        const Program other = test::programFromText(
            "x = placeholder() : 2x3\nfirst = aten.relu.default(x) : 2x3\noutput(first)\n");
        QVERIFY(writeFxJson(other, m_model.toStdString()));
        open(m_project);
        QVERIFY(document().basis().transfer != nullptr); // matched by structure, as the matches panel shows
        QCOMPARE(document().tags()[node("first")], 0);

        forgetChanges();
        QJsonObject project = QJsonDocument::fromJson(read(m_project)).object();
        project.remove("identity"); // a file of an older version, with names only
        write(m_project, QJsonDocument(project).toJson());
        open(m_project);
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("it has 3 nodes instead of 6"), qPrintable(box->explanation()));
        QCOMPARE(document().tags()[node("first")], 0);
        box->close();
    }

    void aModelThatIsGoneIsAskedFor()
    {
        save();
        forgetChanges();
        QVERIFY(QFile::rename(m_model, m_folder.filePath("moved.fxj")));
        m_window->openModel(m_project);
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY(box->button("Find it…") != nullptr);
        box->close();
        workflow().openProjectFile(m_project, m_folder.filePath("moved.fxj"));
        QTRY_COMPARE(document().filePath(), m_folder.filePath("moved.fxj"));
        QCOMPARE(document().tagsPath(), m_project);
    }

    void aProjectBesideAModelIsOffered()
    {
        save();
        document().close();
        openModel();
        QVERIFY(!document().hasProject());
        NoticeBar& bar = notice("projectNotice");
        QVERIFY(bar.isVisible());
        QVERIFY(bar.text().startsWith("This model has a project: chain.sunder"));
        QTest::keyClick(&bar.button(0), Qt::Key_Space);
        QTRY_VERIFY(document().hasProject());
        QVERIFY(!bar.isVisible());
    }

    void aProjectOfAnotherNameIsInTheTitle()
    {
        save();
        QVERIFY2(m_window->windowTitle().startsWith("chain[*] — "), qPrintable(m_window->windowTitle()));
        QVERIFY(workflow().saveProject(project().state(), m_folder.filePath("two stages.sunder")));
        QVERIFY2(m_window->windowTitle().startsWith("two stages[*] (chain) — "), qPrintable(m_window->windowTitle()));
    }

    void theSecondWindowIsTold()
    {
        save();
        const auto first = std::move(m_window);
        showWindow();
        m_window->openModel(m_project);
        QTRY_VERIFY(document().isOpen());
        QVERIFY2(notice("projectNotice").text().contains("is open in another window"),
                 qPrintable(notice("projectNotice").text()));
        QVERIFY(!document().hasProject());
        QVERIFY(!document().isModified()); // equal to the file: nothing to save or to recover
        document().painting().paint(std::array{node("second")}, 1);
        QVERIFY(document().isModified());
        QSignalSpy failed(&workflow(), &Workflow::failed);
        QVERIFY(!workflow().saveProject(project().state(), m_project));
        QVERIFY(failed[0][1].toString().contains("open in another window"));
        QVERIFY(workflow().saveProject(project().state(), m_folder.filePath("copy.sunder")));
    }

    void whatIsNotSavedIsOfferedAfterACrash()
    {
        split();
        document().painting().paint(std::array{node("second")}, 1);
        const QString left = m_folder.filePath("left.sunder");
        keepUnsaved(left);
        closeWindow();
        QVERIFY(QFile::copy(left, unsavedFolder() + "/left.sunder")); // from a session that no longer runs
        showWindow();
        m_window->offerUnsavedWork();
        NoticeBar& bar = notice("recoveryNotice");
        QVERIFY(bar.isVisible());
        QVERIFY2(bar.text().contains("chain.fxj") && bar.text().contains("2 tags on 4 ops, 1 run"), qPrintable(bar.text()));
        bar.button(0).click();
        QTRY_VERIFY(document().isOpen());
        QCOMPARE(document().tags()[node("second")], 1);
        QVERIFY(document().isModified());
        QTRY_COMPARE(document().runs().list().size(), 1U);
        keepUnsaved({});
        QTRY_VERIFY(!QFile::exists(unsavedFolder() + "/left.sunder")); // owned by this session now
    }

    void whatWasRecoveredIsAStepFromTheModelAsItWasOpened()
    {
        split();
        document().devices().set({{.name = "gpu", .availableBytes = 8e9}}, "devices");
        recover();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        QCOMPARE(document().steps().count(), 1);
        QCOMPARE(document().steps().undoText(), QString("Recovered work"));
        QCOMPARE(document().tags()[node("third")], 1);
        QCOMPARE(document().devices().list().size(), 1U);
        actions().undo->trigger();
        QCOMPARE(document().checks().report().untagged.size(), 4U);
        QVERIFY(document().devices().list().empty());
        actions().redo->trigger();
        QCOMPARE(document().tags()[node("third")], 1);
        QCOMPARE(document().devices().list().size(), 1U);
        QVERIFY(document().runs().isSplitCurrent());
    }

    void theMessageAboutRecoveryGoesWithItsStep()
    {
        paintBoth();
        recover();
        actions().undo->trigger();
        QVERIFY2(!status().contains("Recovered"), qPrintable(status()));
        actions().redo->trigger();
        QTRY_VERIFY2(status().contains("Recovered your work on chain.fxj"), qPrintable(status()));
        actions().undo->trigger();
        QVERIFY2(!status().contains("Recovered"), qPrintable(status()));
        document().tagList().add();
        document().painting().paint(std::array{node("first")}, document().activeTag());
        actions().undo->trigger();
        actions().redo->trigger(); // another step is there now
        settle();
        QVERIFY2(!status().contains("Recovered"), qPrintable(status()));
    }

    void whatWasRecoveredIsAStepFromTheProjectAsItWasSaved()
    {
        paintBoth();
        document().devices().set({{.name = "gpu", .availableBytes = 8e9}}, "devices");
        save();
        document().painting().paint(std::array{node("second")}, 1);
        document().tagList().rename(1, "tail");
        recover();
        QCOMPARE(document().tagsPath(), m_project);
        QCOMPARE(document().tagName(1), QString("tail"));
        QVERIFY(document().isModified());
        actions().undo->trigger();
        QCOMPARE(document().tagName(1), QString("stage1"));
        QCOMPARE(document().tags()[node("second")], 0);
        QCOMPARE(document().devices().list().size(), 1U);
        QVERIFY(!document().steps().canUndo());
        actions().redo->trigger();
        QCOMPARE(document().tags()[node("second")], 1);
        actions().save->trigger();
        QVERIFY(!document().isModified());
    }

    void ofSeveralTheNextIsOfferedWhenTheFirstIsClosed()
    {
        document().painting().paint(std::array{node("second")}, 1);
        const QString left = m_folder.filePath("several.sunder");
        keepUnsaved(left);
        closeWindow();
        QVERIFY(QFile::copy(left, unsavedFolder() + "/one.sunder"));
        QVERIFY(QFile::copy(left, unsavedFolder() + "/two.sunder"));
        showWindow();
        m_window->offerUnsavedWork();
        NoticeBar& bar = notice("recoveryNotice");
        QVERIFY2(bar.text().contains("1 more to recover"), qPrintable(bar.text()));
        bar.button(0).click();
        QTRY_VERIFY(document().isOpen());
        QVERIFY(!bar.isVisible());
        document().close();
        QVERIFY(bar.isVisible());
        QVERIFY2(!bar.text().contains("more to recover"), qPrintable(bar.text()));
        bar.button(1).click();
        QVERIFY(!bar.isVisible());
    }

    void whatALivingWindowHasIsNotOffered()
    {
        document().painting().paint(std::array{node("first")}, 0);
        keepUnsaved({});
        QVERIFY(unsavedWorkIn(unsavedFolder()).empty());
        QVERIFY(QFile::exists(autosave().path()));
        save();
        QTRY_VERIFY(!QFile::exists(autosave().path()));
    }

    void laterChangesDoNotPutTheAutosaveOff()
    {
        QSignalSpy saved(&autosave(), &Autosave::saved);
        QVERIFY(Autosave::kDelayMs < 5000);
        autosave().setDelay(1);
        for (int i = 0; saved.isEmpty() && i < 100'000; ++i) {
            document().painting().paint(std::array{node("first")}, i % 2);
            QCoreApplication::processEvents();
        }
        QVERIFY(!saved.isEmpty());
    }

    void readingTheModelAgainLosesNothingOfTheProject()
    {
        test::childOf<Bookmarks>(*m_window).add("here");
        save();
        const SnapshotPtr before = document().snapshot();
        workflow().reloadModel();
        QTRY_VERIFY(document().snapshot() != before);
        QCOMPARE(document().tagsPath(), m_project);
        QCOMPARE(test::childOf<Bookmarks>(*m_window).all().size(), 1U);
    }

    void aBookmarkComesBackToItsView()
    {
        CanvasWidget& canvas = sourcePane().canvas();
        test::childOf<Bookmarks>(*m_window).add("near");
        const Camera kept = canvas.camera();
        canvas.zoomBy(3);
        QVERIFY(canvas.camera().zoom() != kept.zoom());
        actions().toBookmark[0]->trigger();
        QCOMPARE(canvas.camera().zoom(), kept.zoom());
        test::childOf<Bookmarks>(*m_window).rename(0, "far");
        QCOMPARE(test::childOf<Bookmarks>(*m_window).all()[0].name, std::string("far"));
        test::childOf<Bookmarks>(*m_window).remove(0);
        QVERIFY(test::childOf<Bookmarks>(*m_window).all().empty());
    }

private:
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// Uses the file dialog. Records a following question in `asked` and cancels it.
    void saveAs(const QString& path, QString* asked = nullptr)
    {
        QTimer::singleShot(0, m_window.get(), [&path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        });
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [asked] {
            if (auto* box = qobject_cast<MessageDialog*>(QApplication::activeModalWidget()); box != nullptr && asked != nullptr) {
                *asked = box->findChild<QLabel*>("headline")->text();
                box->reject();
            }
        });
        timer.start(20);
        actions().saveAs->trigger();
    }

    QString status()
    {
        QStringList texts;
        for (const auto* label : m_window->statusBar()->findChildren<QLabel*>())
            texts << label->text();
        return texts.join('\n');
    }
    void save() { QVERIFY(workflow().saveProject(project().state(), m_project)); }
    void open(const QString& path)
    {
        forgetChanges();
        QSignalSpy opened(&workflow(), &Workflow::projectOpened);
        m_window->openModel(path);
        QTRY_COMPARE(opened.count(), 1);
    }
    /// Saves the unsaved work and copies its file.
    void keepUnsaved(const QString& copy)
    {
        QSignalSpy saved(&autosave(), &Autosave::saved);
        autosave().write();
        QTRY_VERIFY(!saved.isEmpty());
        if (!copy.isEmpty())
            QVERIFY(QFile::copy(autosave().path(), copy));
    }
    /// Simulates a crash: a new window recovers the work of this one.
    void recover()
    {
        const QString left = m_folder.filePath("crashed.sunder");
        QFile::remove(left);
        keepUnsaved(left);
        closeWindow();
        QVERIFY(QFile::copy(left, unsavedFolder() + "/crashed.sunder")); // from a session that no longer runs
        showWindow();
        m_window->offerUnsavedWork();
        notice("recoveryNotice").button(0).click();
        QTRY_VERIFY(document().isOpen());
        settle();
    }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }

    QString m_project;
};

const test::Registered<WindowProjectTest> windowProjectTest("window_project_test");
#include "window_project_test.moc"
