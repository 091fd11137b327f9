#include "analysis/tag_assignment.h"
#include "app/workspace.h"
#include "dialogs/export_options.h"
#include "io/model_file.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSettings>

using namespace sunder;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Cancels when the written file is about to be read back.
class CancelAtReading final : public ProgressMonitor {
public:
    void report(double, std::string_view what) override { m_cancelled = m_cancelled || what == "checking the file"; }
    [[nodiscard]] bool isCancelled() const override { return m_cancelled; }

private:
    bool m_cancelled = false;
};

} // namespace

/// Exports from the real window and opens the exported files.
class WindowExportTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void exportsTheSplitGraphAndOpensItAgain()
    {
        openModel();
        split();
        const QString path = m_folder.filePath("chain-split.fxj");
        ExportDialog* dialog = exportDialog("graph", path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        forgetChanges();
        m_window->openModel(path);
        QTRY_VERIFY(m_window->windowTitle().contains("chain-split"));
        QCOMPARE(document().snapshot()->program.modules.resolve("stage0").isValid(), true);
    }

    void exportsPartsAndOpensOneAgain()
    {
        openModel();
        split();
        const QString folder = m_folder.filePath("parts");
        ExportDialog* dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        QCOMPARE(dialog->statusText().count('\n'), 2); // the folder, the files, and the result of the check
        QVERIFY2(!dialog->statusText().contains("\\n"), qPrintable(dialog->statusText()));
        dialog->close();
        QVERIFY(QFileInfo::exists(folder + "/manifest.json"));
        const QStringList parts = QDir(folder).entryList({"*.fxj"}, QDir::Files, QDir::Name);
        QCOMPARE(parts.size(), 2);
        forgetChanges();
        m_window->openModel(folder + "/" + parts[0]);
        QTRY_VERIFY(!m_window->windowTitle().contains("chain"));
    }

    void endsWithTheCommandThatRunsTheParts()
    {
        openSample();
        settle();
        splitSample();
        const QString folder = m_folder.filePath("it's parts");
        ExportDialog* dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote"), qPrintable(dialog->statusText()));
        auto* command = dialog->findChild<QLineEdit*>("command");
        QVERIFY(command->isVisible() && command->isReadOnly());
        QCOMPARE(command->text(), "python '" + m_folder.path() + "/it'\\''s parts/run.py'");
        dialog->findChild<QPushButton*>("copyCommand")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), command->text());
        dialog->setFormat("tags"); // tags have no run script
        QVERIFY(!command->isVisible());
        dialog->close();
    }

    void namesThePartsOfAnEarlierExportThatAreGone()
    {
        openModel();
        split();
        const QString folder = m_folder.filePath("again");
        ExportDialog* dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        QVERIFY(!dialog->statusText().contains("Removed"));
        dialog->close();
        document().tagList().rename(1, "back");
        actions().pass("split")->trigger();
        settle();
        dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Removed from the earlier export: stage1.fxj."),
                     qPrintable(dialog->statusText()));
        QVERIFY(QFileInfo::exists(folder + "/back.fxj") && !QFileInfo::exists(folder + "/stage1.fxj"));
        dialog->close();
    }

    void aTildeIsTheHomeFolder()
    {
        openModel();
        split();
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", m_folder.path().toLocal8Bit());
        ExportDialog* dialog = exportDialog("parts", "~/from home");
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        dialog->close();
        qputenv("HOME", home);
        QVERIFY(QFileInfo::exists(m_folder.filePath("from home/manifest.json")));
        QVERIFY(!QFileInfo::exists("~"));
    }

    void saysWhenNothingOpensTheFolder()
    {
        QFile opener(m_folder.filePath("xdg-open"));
        QVERIFY(opener.open(QIODevice::WriteOnly));
        opener.write("#!/bin/sh\nexit 3\n");
        opener.close();
        opener.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", m_folder.path().toLocal8Bit() + ":" + path);
        openModel();
        split();
        const QString folder = m_folder.filePath("opened");
        ExportDialog* dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        dialog->findChild<QPushButton*>("openFolder")->click();
        QTRY_VERIFY2(dialog->statusText().contains("No file manager was found. The folder is " + folder),
                     qPrintable(dialog->statusText()));
        dialog->findChild<QPushButton*>("copyPath")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), folder);
        dialog->close();
        qputenv("PATH", path);
    }

    void asksBeforeItWritesMuch()
    {
        openModel();
        split();
        const QString folder = m_folder.filePath("many");
        ExportDialog* dialog = openExport("parts");
        dialog->setPath(folder);
        QSettings().setValue("export/askAboveBytes", 0);
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().contains("This writes about"), qPrintable(dialog->statusText()));
        QVERIFY2(dialog->statusText().contains("are free"), qPrintable(dialog->statusText()));
        QVERIFY(dialog->exportButton().text().startsWith("Write "));
        QVERIFY(!QFileInfo::exists(folder));
        dialog->setPath(folder + "2"); // another folder needs a new confirmation
        QCOMPARE(dialog->exportButton().text(), QString("Export"));
        dialog->exportButton().click();
        QTRY_VERIFY(dialog->exportButton().text().startsWith("Write "));
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        QVERIFY(QFileInfo::exists(folder + "2/manifest.json") && !QFileInfo::exists(folder));
        QCOMPARE(dialog->exportButton().text(), QString("Export"));
        QSettings().remove("export/askAboveBytes");
        dialog->close();
    }

    void exportsTagsAndTakesThemUpAgain()
    {
        openModel();
        document().painting().paint(std::array{node("first"), node("second")}, 0);
        const QString path = m_folder.filePath("mine.json");
        ExportDialog* dialog = exportDialog("tags", path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        actions().undo->trigger();
        workflow().openTagsFile(path);
        QTRY_COMPARE(document().tags()[node("second")], 0);
    }

    void leavesNothingWhereAnExportDoesNotReadBack()
    {
        openModel();
        split();
        const QString path = m_folder.filePath("broken.fxj");
        for (const bool isThere : {false, true}) {
            if (isThere)
                QVERIFY(QFile::copy(m_model, path));
            // A graph whose file cannot be read: two nodes have the same name.
            SplitOutcome broken = *document().runs().shownSplit();
            Graph& graph = broken.split.program.rootGraph();
            graph.setName(graph.last(), graph[graph.first()].name);
            const Result<ExportedFiles> refused = runExport(
                {.format = "graph", .path = path, .results = {std::make_shared<const SplitOutcome>(broken)}},
                ProgressMonitor::none());
            QVERIFY(!refused);
            QCOMPARE(QString::fromStdString(refused.error().where.file), path);
            QCOMPARE(contents(path), isThere ? contents(m_model) : QByteArray());
            QCOMPARE(QFile::exists(path), isThere);
        }
        QVERIFY(QDir(m_folder.path()).entryList({".sunder-*"}, QDir::Dirs | QDir::Hidden).isEmpty());
    }

    void leavesNothingOfAnExportThatIsCancelledWhenItIsRead()
    {
        openModel();
        split();
        const QString path = m_folder.filePath("cancelled.fxj");
        CancelAtReading monitor;
        const Result<ExportedFiles> cancelled = runExport(
            {.format = "graph", .path = path, .results = {document().runs().shownSplit()}}, monitor);
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::cancelled);
        QVERIFY(!QFile::exists(path));
    }

    void writesTheModelWithItsTags()
    {
        openSample();
        const SplitOutcomePtr split = splitSample();
        const QString path = m_folder.filePath("tagged.pt2");
        ExportDialog* dialog = exportDialog("taggedModel", path);
        QTRY_VERIFY2(dialog->statusText().contains(", equivalent. "), qPrintable(dialog->statusText()));
        QVERIFY2(dialog->statusText().contains("ops with tags"), qPrintable(dialog->statusText()));
        dialog->close();
        const Result<Program> back = readModel(path.toStdString());
        QVERIFY(back.has_value());
        QCOMPARE(tagsOnNodes(*back).order.size(), split->split.parts.size());
    }

    void writesCodeAndSideFilesOfACut()
    {
        openSample();
        const SplitOutcomePtr split = splitSample();
        write("python", "cut.py");
        QVERIFY(contentOf("cut.py").contains("def split(graph_module"));
        write("dag", "dag.json");
        QCOMPARE(qsizetype(split->split.parts.size()), jsonOf("dag.json")["nodes"].toArray().size());
        write("cost", "cost.json");
        QCOMPARE(qsizetype(split->split.parts.size()), jsonOf("cost.json")["parts"].toArray().size());
        QVERIFY(jsonOf("cost.json")["totals"].toObject()["cut"].toDouble() > 0);
        const QString note = write("names", "names.json");
        QVERIFY2(split->split.fqnMap.empty() == note.contains("empty"), qPrintable(note));
        QCOMPARE(jsonOf("names.json").size(), qsizetype(split->split.fqnMap.size()));
    }

    void writesWhatOtherPassesMade()
    {
        openSample();
        workflow().run("unflatten");
        QTRY_VERIFY(document().runs().shown<UnflattenOutcomePtr>() != nullptr);
        workflow().run("deduplicate");
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>() != nullptr);
        QVERIFY(write("unflattened", "tree.fxj").contains(", equivalent. "));
        QVERIFY(write("deduplicated", "dedup.fxj").contains(", equivalent. "));
        write("regions", "regions.json");
        QCOMPARE(jsonOf("regions.json")["groups"].toArray().size(),
                 qsizetype(document().runs().shown<RegionsOutcomePtr>()->regions.groups.size()));
    }

    void writesGraphsForOtherViewers()
    {
        openSample();
        ExportDialog* dialog = openExport("drawing");
        dialog->setPath(m_folder.filePath("graph.dot"));
        QTest::mouseClick(&dialog->exportButton(), Qt::LeftButton);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        QVERIFY(contentOf("graph.dot").startsWith("digraph"));
        dialog->options().formatField().setCurrentIndex(1);
        QVERIFY(!dialog->statusText().contains("Wrote"));
        QTest::mouseClick(&dialog->exportButton(), Qt::LeftButton);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 2 files"), qPrintable(dialog->statusText()));
        QVERIFY(!jsonOf("graph.json").isEmpty() && !jsonOf("graph.tags.json").isEmpty());
        dialog->close();
    }

    void saysThatACutIsOlderThanItsTags()
    {
        openModel();
        split();
        document().painting().paint(std::array{node("second")}, 1);
        ExportDialog* dialog = openExport("graph");
        QVERIFY2(dialog->statusText().contains("changed since"), qPrintable(dialog->statusText()));
        QVERIFY(dialog->exportButton().isEnabled());
        dialog->setFormat("tags");
        QVERIFY(dialog->statusText().isEmpty());
        dialog->close();
    }

    void refusesAModelFileForWhatCameFromNone()
    {
        openModel();
        split();
        ExportDialog* dialog = openExport("taggedModel");
        QVERIFY(!dialog->exportButton().isEnabled());
        QVERIFY2(dialog->statusText().contains("fx-json"), qPrintable(dialog->statusText()));
        dialog->close();
    }

    void isDrivenByKeys()
    {
        openModel();
        split();
        ExportDialog* dialog = openExport("parts");
        dialog->list().setFocus();
        QTest::keyClick(&dialog->list(), Qt::Key_Down);
        QCOMPARE(dialog->list().format().id, QStringLiteral("graph"));
        QTest::keyClick(&dialog->list(), Qt::Key_End);
        QCOMPARE(dialog->list().format().id, QStringLiteral("picture"));
        QTest::keyClick(&dialog->list(), Qt::Key_Home); // headings are skipped
        QVERIFY(dialog->list().format().id == "parts");
        dialog->setPath(m_folder.filePath("by-keys"));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        QTest::keyClick(dialog, Qt::Key_Escape);
    }

    void returnWritesAgainWhenAnotherPathIsTyped()
    {
        openModel();
        ExportDialog* dialog = exportDialog("tags", m_folder.filePath("one.json"));
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        QLineEdit* path = nullptr;
        for (QLineEdit* field : dialog->findChildren<QLineEdit*>())
            if (field->text() == m_folder.filePath("one.json"))
                path = field;
        QVERIFY(path != nullptr);
        path->setFocus();
        path->selectAll();
        QTest::keyClicks(path, m_folder.filePath("two.json"));
        QTest::keyClick(path, Qt::Key_Return);
        QTRY_VERIFY(QFileInfo::exists(m_folder.filePath("two.json")));
        QVERIFY(dialog->isVisible());
    }

    void refusesPartsBeforeASplit()
    {
        openModel();
        actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setFormat("parts");
        QVERIFY(!dialog->exportButton().isEnabled());
        QVERIFY(dialog->statusText().contains("split"));
        dialog->close();
    }

private:
    /// Exports, waits, and returns the message of the dialog.
    QString write(const QString& format, const char* file)
    {
        ExportDialog* dialog = exportDialog(format, m_folder.filePath(file));
        settle();
        const QString said = dialog->statusText();
        if (!said.startsWith("Wrote 1 file"))
            QTest::qFail(qPrintable(said), __FILE__, __LINE__);
        delete dialog;
        return said;
    }

    QByteArray contentOf(const char* file) const
    {
        QFile opened(m_folder.filePath(file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    QJsonObject jsonOf(const char* file) const
    {
        const QJsonDocument document = QJsonDocument::fromJson(contentOf(file));
        return document.isArray() ? document.array().first().toObject() : document.object();
    }
};

const test::Registered<WindowExportTest> windowExportTest("window_export_test");
#include "window_export_test.moc"
