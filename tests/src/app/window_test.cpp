#include "app/main_window.h"
#include "dialogs/export_dialog.h"
#include "io/fx_json_writer.h"
#include "panels/graph_view.h"
#include "panels/inspector_panel.h"
#include "panels/outline_panel.h"
#include "panels/problems_panel.h"
#include "panels/result_pane.h"
#include "panels/search_field.h"
#include "panels/source_pane.h"
#include "panels/tags_panel.h"
#include "models/problem_model.h"
#include "test_support.h"

#include <QDir>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

/// Drives the real window, offscreen, with mouse and keys.
class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("sunder-test");
        QCoreApplication::setApplicationName("sunder-test");
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.filePath("settings"));
        m_model = m_folder.filePath("chain.fxj");
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "first = relu(x)\n"
                                                      "second = gelu(first)\n"
                                                      "third = tanh(second)\n"
                                                      "fourth = add(third, first)\n"
                                                      "output(fourth)\n");
        QVERIFY(writeFxJson(program, m_model.toStdString()).has_value());
    }

    void init()
    {
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup()
    {
        m_window->document().undoStack().setClean(); // closing must not ask
        m_window.reset();
    }

    void beginsWithAnInvitation()
    {
        QVERIFY(m_window->showsWelcome());
        bool open = false;
        for (const QPushButton* button : m_window->findChildren<QPushButton*>())
            open = open || (button->isVisible() && button->text().startsWith("Open"));
        QVERIFY(open);
        QVERIFY(!m_window->actions().split->isEnabled());
    }

    void opensAModel()
    {
        openModel();
        QVERIFY(!m_window->showsWelcome());
        QCOMPARE(m_window->document().snapshot()->callCount, 4U);
        QVERIFY(m_window->windowTitle().contains("chain"));
        QVERIFY(m_window->outlinePanel().view().model()->rowCount() == 1);
    }

    void opensAModelThatIsDropped()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_model)});
        QDragEnterEvent enter(QPoint(700, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(700, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(m_window->document().isOpen());
    }

    void staysAsItWasWhenAFileIsDamaged()
    {
        openModel();
        m_window->document().paint(std::array{node("first")}, 0);
        m_window->document().undoStack().setClean();
        const QString damaged = m_folder.filePath("damaged.pt2");
        QFile file(damaged);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("PK\x03\x04 and then nothing");
        file.close();
        m_window->openModel(damaged);
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->informativeText().contains("damaged.pt2"), qPrintable(box->informativeText()));
        QVERIFY(m_window->windowTitle().contains("chain"));
        QCOMPARE(m_window->document().tags()[node("first")], 0);
    }

    void remembersItsLayout()
    {
        openModel();
        m_window->actions().showBottom->setChecked(false);
        m_window->document().undoStack().setClean();
        m_window->close();
        m_window = std::make_unique<MainWindow>(nullptr);
        QVERIFY(!m_window->actions().showBottom->isChecked());
        m_window->actions().resetLayout->trigger();
        QVERIFY(m_window->actions().showBottom->isChecked());
        m_window->close();
    }

    void takesUpTagsThatLieBesideTheModel()
    {
        openModel();
        m_window->document().paint(std::array{node("first"), node("second")}, 1);
        const QString beside = tagsPathBeside(m_model);
        QVERIFY(m_window->workflow().saveTags(beside));
        QVERIFY(!m_window->document().isModified());
        m_window->openModel(m_model);
        QTRY_COMPARE(m_window->document().tagsPath(), beside);
        QCOMPARE(m_window->document().tags()[node("second")], 1);
        QVERIFY(QFile::remove(beside));
    }

    void saysThatAFileIsMissing()
    {
        m_window->openModel(m_folder.filePath("nowhere.pt2"));
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY(box->informativeText().contains("nowhere.pt2"));
        QVERIFY(m_window->showsWelcome());
    }

    void paintsWithTheMouse()
    {
        openModel();
        m_window->actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        click("second");
        QCOMPARE(m_window->document().tags()[node("second")], 0);
        QTest::keyClick(m_window.get(), Qt::Key_2);
        QCOMPARE(m_window->document().activeTag(), 1);
        click("third");
        QCOMPARE(m_window->document().tags()[node("third")], 1);
        m_window->actions().tool[static_cast<std::size_t>(ToolKind::eraser)]->trigger();
        click("second");
        QCOMPARE(m_window->document().tags()[node("second")], -1);
    }

    void undoesAndRedoesAStroke()
    {
        openModel();
        m_window->actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        click("second");
        m_window->actions().undo->trigger();
        QCOMPARE(m_window->document().tags()[node("second")], -1);
        m_window->actions().redo->trigger();
        QCOMPARE(m_window->document().tags()[node("second")], 0);
    }

    void showsWhatASelectedNodeIs()
    {
        openModel();
        m_window->actions().tool[static_cast<std::size_t>(ToolKind::select)]->trigger();
        click("third");
        QCOMPARE(m_window->document().selection().source, std::vector{node("third")});
        const auto* model = m_window->inspectorPanel().view().model();
        QVERIFY(model->rowCount() > 3);
        QCOMPARE(model->index(0, 1).data().toString(), QString("third"));
    }

    void refusesASplitThatIsNotLegalAndLeadsToTheNode()
    {
        openModel();
        m_window->document().paint(std::array{node("first")}, 1);
        m_window->document().paint(std::array{node("second"), node("third")}, 0);
        m_window->actions().split->trigger();
        QVERIFY(m_window->document().outcome() == nullptr);
        auto& view = m_window->problemsPanel().view();
        QVERIFY(view.isVisible());
        QVERIFY(view.model()->rowCount() >= 2);
        const QRect row = view.visualRect(view.model()->index(0, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, row.height() / 2));
        const auto& selected = m_window->document().selection().source;
        QVERIFY(std::find(selected.begin(), selected.end(), node("first")) != selected.end());
    }

    void splitsAndLinksTheResultWithTheSource()
    {
        openModel();
        split();
        auto& result = m_window->resultPane();
        QVERIFY(result.isVisible());
        QCOMPARE(result.tabs().count(), 3);
        QVERIFY2(result.header().status().contains("proven equal"), qPrintable(result.header().status()));

        result.tabs().setCurrentIndex(2); // the part of stage1
        GraphView* view = result.currentView();
        QTRY_VERIFY(view->canvas().picture() != nullptr && !view->canvas().picture()->items.empty());
        QTest::qWait(20);
        const Graph& part = m_window->document().outcome()->split.program.graph(view->graphId());
        const NodeId third = part.find(intern("third"));
        QVERIFY(third.isValid());
        clickIn(view->canvas(), third);
        QCOMPARE(m_window->document().selection().source, std::vector{node("third")});
        QVERIFY(m_window->sourcePane().canvas().pictureStyle().selected.contains(node("third")));

        m_window->document().select({node("fourth")});
        QVERIFY(view->canvas().pictureStyle().selected.contains(part.find(intern("fourth"))));
    }

    void showsASplitThatIsNotEqualAndRefusesItsParts()
    {
        const QString path = m_folder.filePath("in_place.fxj");
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "copy = call_method[clone](x)\n"
                                                      "written = call_method[add_](copy, 1)\n"
                                                      "reads = call_method[mul](copy, 2)\n"
                                                      "output(reads)\n");
        QVERIFY(writeFxJson(program, path.toStdString()).has_value());
        m_window->openModel(path);
        QTRY_VERIFY(m_window->document().isOpen());
        m_window->document().paint(std::array{node("copy"), node("reads")}, 0);
        m_window->document().paint(std::array{node("written")}, 1);
        m_window->actions().split->trigger();
        QTRY_VERIFY(m_window->document().outcome() != nullptr);
        QVERIFY2(m_window->resultPane().header().status().contains("NOT equal"),
                 qPrintable(m_window->resultPane().header().status()));
        QVERIFY(m_window->problemsPanel().model().count(Severity::error) == 1);
        m_window->actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setKind(ExportKind::parts);
        QVERIFY(!dialog->exportButton().isEnabled());
        QVERIFY2(dialog->statusText().contains("reads"), qPrintable(dialog->statusText()));
        dialog->setKind(ExportKind::graph); // for a look
        QVERIFY(dialog->exportButton().isEnabled());
        dialog->close();
    }

    void searchesAndGoesThere()
    {
        openModel();
        m_window->activateWindow();
        m_window->actions().find->trigger();
        m_window->searchField().setFocus();
        QTest::keyClicks(&m_window->searchField(), "op:tanh");
        QTest::keyClick(&m_window->searchField(), Qt::Key_Return);
        QCOMPARE(m_window->document().selection().source, std::vector{node("third")});
    }

    void tagsInEqualStages()
    {
        openModel();
        m_window->workflow().tagInStages(2, false);
        QVERIFY(m_window->document().report().isLegal());
        QCOMPARE(m_window->document().totals().tags[0].ops, 2U);
        m_window->actions().undo->trigger();
        QCOMPARE(m_window->document().report().untagged.size(), 4U);
    }

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

    void saysWhyAnExportCannotBeWritten()
    {
        openModel();
        const QString file = m_folder.filePath("a-file");
        QFile blocking(file);
        QVERIFY(blocking.open(QIODevice::WriteOnly));
        blocking.close();
        ExportDialog* dialog = exportDialog(ExportKind::tags, file + "/below/tags.json"); // holds for root too
        QTRY_VERIFY2(dialog->statusText().contains("a-file"), qPrintable(dialog->statusText()));
        QVERIFY(dialog->statusText().contains("Nothing was written"));
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

private:
    NodeId node(const char* name) const { return m_window->document().graph().find(intern(name)); }

    void openModel()
    {
        m_window->openModel(m_model);
        QTRY_VERIFY(m_window->document().isOpen());
        QTRY_VERIFY(m_window->sourcePane().canvas().picture() != nullptr
                    && !m_window->sourcePane().canvas().picture()->items.empty());
        QTest::qWait(20); // the canvas gets its size when the workspace is first shown
        m_window->sourcePane().canvas().fitAll();
    }

    void split()
    {
        m_window->document().paint(std::array{node("first"), node("second")}, 0);
        m_window->document().paint(std::array{node("third"), node("fourth")}, 1);
        m_window->actions().split->trigger();
        QTRY_VERIFY(m_window->document().outcome() != nullptr);
    }

    void click(const char* name) { clickIn(m_window->sourcePane().canvas(), node(name)); }

    void clickIn(CanvasWidget& canvas, NodeId id)
    {
        canvas.fitAll();
        const ItemId item = canvas.picture()->itemOf[id.index()];
        QVERIFY(item.isValid());
        const QPoint at = canvas.viewRectOf(item).center().toPoint();
        QTest::mouseMove(&canvas, at);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    }

    ExportDialog* exportDialog(ExportKind kind, const QString& path)
    {
        m_window->actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setKind(kind);
        dialog->setPath(path);
        QTest::mouseClick(&dialog->exportButton(), Qt::LeftButton);
        return dialog;
    }

    QMessageBox* waitForBox()
    {
        QMessageBox* box = nullptr;
        for (int i = 0; i < 100 && box == nullptr; ++i) {
            QTest::qWait(20);
            box = m_window->findChild<QMessageBox*>();
        }
        return box;
    }

    QTemporaryDir m_folder;
    QString m_model;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
