#include "window_fixture.h"

#include <QDir>
#include <QFileInfo>

using namespace sunder;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Cancels once what was written is to be read.
class CancelAtReading final : public ProgressMonitor {
public:
    void report(double, std::string_view what) override { m_cancelled = m_cancelled || what == "reading it back"; }
    [[nodiscard]] bool isCancelled() const override { return m_cancelled; }

private:
    bool m_cancelled = false;
};

} // namespace

/// Exports from the real window and opens again what came out.
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
        ExportDialog* dialog = exportDialog(ExportKind::graph, path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        m_window->document().undoStack().setClean();
        m_window->openModel(path);
        QTRY_VERIFY(m_window->windowTitle().contains("chain-split"));
        QCOMPARE(m_window->document().snapshot()->program.modules.resolve("stage0").isValid(), true);
    }

    void exportsPartsAndOpensOneAgain()
    {
        openModel();
        split();
        const QString folder = m_folder.filePath("parts");
        ExportDialog* dialog = exportDialog(ExportKind::parts, folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        dialog->close();
        QVERIFY(QFileInfo::exists(folder + "/manifest.json"));
        const QStringList parts = QDir(folder).entryList({"*.fxj"}, QDir::Files, QDir::Name);
        QCOMPARE(parts.size(), 2);
        m_window->document().undoStack().setClean();
        m_window->openModel(folder + "/" + parts[0]);
        QTRY_VERIFY(!m_window->windowTitle().contains("chain"));
    }

    void exportsTagsAndTakesThemUpAgain()
    {
        openModel();
        m_window->document().paint(std::array{node("first"), node("second")}, 0);
        const QString path = m_folder.filePath("mine.json");
        ExportDialog* dialog = exportDialog(ExportKind::tags, path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        m_window->actions().undo->trigger();
        m_window->workflow().openTagsFile(path);
        QTRY_COMPARE(m_window->document().tags()[node("second")], 0);
    }

    void leavesNothingWhereAnExportDoesNotReadBack()
    {
        openModel();
        split();
        const QString path = m_folder.filePath("broken.fxj");
        for (const bool isThere : {false, true}) {
            if (isThere)
                QVERIFY(QFile::copy(m_model, path));
            // A graph whose file no reader takes: two nodes of one name.
            SplitOutcome broken = *m_window->document().shownSplit();
            Graph& graph = broken.split.program.rootGraph();
            graph.setName(graph.last(), graph[graph.first()].name);
            const Result<ExportedFiles> refused =
                runExport({.kind = ExportKind::graph, .path = path, .outcome = std::make_shared<const SplitOutcome>(broken)},
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
            {.kind = ExportKind::graph, .path = path, .outcome = m_window->document().shownSplit()}, monitor);
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::cancelled);
        QVERIFY(!QFile::exists(path));
    }

    void exportsAPicture()
    {
        openModel();
        const QString path = m_folder.filePath("chain.svg");
        ExportDialog* dialog = exportDialog(ExportKind::picture, path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        QVERIFY(QFileInfo(path).size() > 500);
        dialog->close();
    }

    void refusesPartsBeforeASplit()
    {
        openModel();
        m_window->actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setKind(ExportKind::parts);
        QVERIFY(!dialog->exportButton().isEnabled());
        QVERIFY(dialog->statusText().contains("split"));
        dialog->close();
    }
};

QTEST_MAIN(WindowExportTest)
#include "window_export_test.moc"
