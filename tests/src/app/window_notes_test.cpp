#include "app/project.h"
#include "canvas/picture_notes.h"
#include "document/project_state.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QInputDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QUndoStack>

using namespace sunder;

/// Notes on the canvas: writing, editing, moving, and removing with undo, and saving in the project.
class WindowNotesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void aNoteIsWrittenEditedMovedAndRemoved()
    {
        QVERIFY(!actions().note->isEnabled());
        document().marks().select({node("second")});
        actions().note->trigger();
        type("cut here?");
        QCOMPARE(document().notes().on(node("second")), "cut here?");
        QVERIFY(document().isModified());
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(notes().size(), 1U);
        QCOMPARE(notes()[0].lines, QStringList{"cut here?"});

        canvas().setZoom(1);
        const QRectF at = rectOfNote();
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, at.center().toPoint());
        type("cut here, says Kim");
        QCOMPARE(notes()[0].lines, QStringList{"cut here, says Kim"});

        const QPointF before = notes()[0].offset;
        drag(rectOfNote().center().toPoint(), {60, 40});
        QCOMPARE(notes()[0].offset, before + QPointF(60, 40));
        QCOMPARE(document().marks().selection().source, std::vector{node("second")}); // a note is not part of the graph

        document().undo();
        QCOMPARE(notes()[0].offset, before);
        document().undo();
        QCOMPARE(notes()[0].lines, QStringList{"cut here?"});
        document().redo();
        QCOMPARE(notes()[0].lines, QStringList{"cut here, says Kim"});

        emit canvas().noteMenuRequested(node("second"), canvas().mapToGlobal(QPoint(10, 10)));
        auto* menu = m_window->findChild<QMenu*>("noteMenu");
        QVERIFY(menu != nullptr);
        menu->actions().last()->trigger();
        menu->close();
        QVERIFY(notes().empty());
        document().undo();
        QCOMPARE(notes().size(), 1U);
    }

    void anOpHasOneNoteAndTheCommandSaysThatItEditsIt()
    {
        document().marks().select({node("first")});
        QCOMPARE(actions().note->text().remove('&'), "Add note…");
        document().notes().set(node("first"), "cut here?");
        QCOMPARE(actions().note->text().remove('&'), "Edit note…");
        actions().note->trigger();
        const auto* dialog = m_window->findChild<QInputDialog*>("noteDialog");
        QVERIFY2(dialog->labelText().startsWith("Edit the note on first"), qPrintable(dialog->labelText()));
        QCOMPARE(dialog->textValue(), "cut here?");
        type("cut here");
        QCOMPARE(notes().size(), 1U);
        document().marks().select({node("second")});
        QCOMPARE(actions().note->text().remove('&'), "Add note…");
    }

    void wordsThatAreTakenAwayTakeTheNoteAway()
    {
        document().notes().set(node("first"), "x");
        document().marks().select({node("first")});
        actions().note->trigger();
        type({});
        QVERIFY(document().notes().list().empty());
        QCOMPARE(document().steps().count(), 2);
        document().notes().set(node("first"), "  "); // an empty note is not a step
        QCOMPARE(document().steps().count(), 2);
    }

    void escapeLeavesANoteWhereItWas()
    {
        document().notes().set(node("first"), "x");
        canvas().setZoom(1);
        const QPointF before = notes()[0].offset;
        const QPoint at = rectOfNote().center().toPoint();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at);
        move(at + QPoint(50, 50));
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at + QPoint(50, 50));
        QCOMPARE(notes()[0].offset, before);
        QCOMPARE(document().steps().count(), 1);
    }

    void theProjectKeepsThem()
    {
        document().notes().set(node("second"), "cut here?\nask Kim");
        document().notes().move(node("second"), {-30, 44});
        const ProjectFile file = projectFileOf(project().state(), "/tmp/p.sunder");
        QCOMPARE(file.notes.size(), 1U);
        const Result<ProjectFile> read = parseProjectFile(projectFileText(file), "p.sunder");
        QVERIFY(read.has_value());
        QCOMPARE(QString::fromStdString(read->notes[0].text), QString("cut here?\nask Kim"));
        QCOMPARE(read->notes[0].x, -30);
        QCOMPARE(read->notes[0].y, 44);

        const QString path = m_folder.filePath("kept.sunder");
        QVERIFY(writeProjectFile(*read, path.toStdString()).has_value());
        forgetChanges();
        m_window->openModel(path);
        QTRY_COMPARE(document().tagsPath(), path);
        QTRY_COMPARE(document().notes().list().size(), 1U);
        QCOMPARE(document().notes().on(node("second")), QString("cut here?\nask Kim"));
        QVERIFY(!document().isModified());
        QTRY_COMPARE(notes().size(), 1U);
        forgetChanges();
        openModel(); // another model has no notes
        QVERIFY(document().notes().list().empty());
        QVERIFY(notes().empty());
    }

    void everyChangeOfANoteIsWrittenForTheCaseOfACrash()
    {
        document().notes().set(node("second"), "x");
        const quint64 before = autosave().changes();
        document().notes().set(node("second"), "y");
        QCOMPARE(autosave().changes(), before + 1);
        document().notes().move(node("second"), {50, 60});
        QCOMPARE(autosave().changes(), before + 2);
        const ProjectFile kept = projectFileOf(project().state(), autosave().path());
        QCOMPARE(kept.notes.size(), 1U);
        QCOMPARE(kept.notes[0].x, 50);
    }

    void aTagsFileDoesNotSaveThem()
    {
        document().notes().set(node("second"), "x");
        document().markSaved(m_folder.filePath("only.tags.json"));
        QVERIFY(document().isModified());
        document().markSaved(m_folder.filePath("all.sunder"));
        QVERIFY(!document().isModified());
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    const std::vector<PictureNote>& notes() { return canvas().pictureStyle().notes; }

    QRectF rectOfNote()
    {
        for (int x = 0; x < canvas().width(); x += 4)
            for (int y = 0; y < canvas().height(); y += 4)
                if (const auto note = canvas().noteAt(QPointF(x, y)))
                    return note->rect;
        return {};
    }

    void move(QPoint at)
    {
        QMouseEvent event(QEvent::MouseMove, QPointF(at), QPointF(canvas().mapToGlobal(at)), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas(), &event);
    }

    void drag(QPoint from, QPoint way)
    {
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        move(from + way / 2);
        move(from + way);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from + way);
    }

    /// Types into the open dialog and accepts.
    void type(const QString& words)
    {
        auto* dialog = m_window->findChild<QInputDialog*>("noteDialog");
        QVERIFY(dialog != nullptr && dialog->isVisible());
        dialog->findChild<QPlainTextEdit*>()->setPlainText(words);
        dialog->accept();
        QTRY_VERIFY(m_window->findChild<QInputDialog*>("noteDialog") == nullptr);
    }
};

const test::Registered<WindowNotesTest> windowNotesTest("window_notes_test");
#include "window_notes_test.moc"
