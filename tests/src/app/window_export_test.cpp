#include "window_fixture.h"

#include <QDir>
#include <QFileInfo>

using namespace sunder;

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
