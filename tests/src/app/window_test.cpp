#include "dialogs/program_dialog.h"
#include "dialogs/tagging_dialog.h"
#include "panels/inspector_panel.h"
#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTreeWidget>

using namespace sunder;

/// Opening, viewing, and painting in the real window.
class WindowTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void beginsWithAnInvitation()
    {
        QVERIFY(showsWelcome());
        bool open = false;
        for (const QPushButton* button : m_window->findChildren<QPushButton*>())
            open = open || (button->isVisible() && button->text().startsWith("Open"));
        QVERIFY(open);
        QVERIFY(!actions().pass("split")->isEnabled());
    }

    void opensAModel()
    {
        openModel();
        QVERIFY(!showsWelcome());
        QCOMPARE(document().snapshot()->callCount, 4U);
        QVERIFY(m_window->windowTitle().contains("chain"));
        QVERIFY(widget<OutlinePanel>().view().model()->rowCount() == 1);
    }

    void asksWhichProgramOfAFileAndRemembers()
    {
        const QString path = QString::fromStdString(test::casePath("pt2/v2_14_1_multi/model.pt2"));
        m_window->openModel(path);
        ProgramDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<ProgramDialog*>()) != nullptr);
        QVERIFY(!document().isOpen());
        QCOMPARE(dialog->list().topLevelItemCount(), 2);
        QCOMPARE(dialog->program(), QString("encoder"));
        QTest::keyClick(&dialog->list(), Qt::Key_Down);
        QTest::keyClick(&dialog->list(), Qt::Key_Return);
        QTRY_VERIFY(document().isOpen());
        QCOMPARE(document().displayName(), QString("decoder"));
        QVERIFY(m_window->windowTitle().contains("model.pt2"));

        QTRY_VERIFY(m_window->findChild<ProgramDialog*>() == nullptr);
        m_window->openModel(path); // does not ask again
        QTRY_VERIFY(!workflow().isReading());
        QVERIFY(m_window->findChild<ProgramDialog*>() == nullptr);
        QCOMPARE(document().displayName(), QString("decoder"));

        actions().otherProgram->trigger();
        QTRY_VERIFY((dialog = m_window->findChild<ProgramDialog*>()) != nullptr);
        QCOMPARE(dialog->program(), QString("decoder"));
        QTest::keyClick(&dialog->list(), Qt::Key_Up);
        QTest::keyClick(&dialog->list(), Qt::Key_Return);
        QTRY_COMPARE(document().displayName(), QString("encoder"));
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
        QTRY_VERIFY(document().isOpen());
    }

    void aModelThatOpensBehindAnotherWindowHasTheFocusInItsGraph()
    {
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other, test::kHangMs));
        openModel();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        QTRY_VERIFY(sourcePane().canvas().hasFocus()); // not the first field of the window
    }

    void remembersItsLayout()
    {
        openModel();
        actions().showBottom->setChecked(false);
        forgetChanges();
        m_window->close();
        m_window = std::make_unique<MainWindow>(nullptr);
        QVERIFY(!actions().showBottom->isChecked());
        actions().resetLayout->trigger();
        QVERIFY(actions().showBottom->isChecked());
        m_window->close();
    }

    void takesUpTagsThatLieBesideTheModel()
    {
        openModel();
        document().painting().paint(std::array{node("first"), node("second")}, 1);
        const QString beside = tagsPathBeside(m_model);
        QVERIFY(workflow().saveTags(beside));
        QVERIFY(!document().isModified());
        m_window->openModel(m_model);
        QTRY_COMPARE(document().tagsPath(), beside);
        QCOMPARE(document().tags()[node("second")], 1);
        QVERIFY(QFile::remove(beside));
    }

    void paintsWithTheMouse()
    {
        openModel();
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        click("second");
        QCOMPARE(document().tags()[node("second")], 0);
        QTest::keyClick(m_window.get(), Qt::Key_2);
        QCOMPARE(document().activeTag(), 1);
        click("third");
        QCOMPARE(document().tags()[node("third")], 1);
        actions().tool[static_cast<std::size_t>(ToolKind::eraser)]->trigger();
        click("second");
        QCOMPARE(document().tags()[node("second")], -1);
    }

    void undoesAndRedoesAStroke()
    {
        openModel();
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        click("second");
        actions().undo->trigger();
        QCOMPARE(document().tags()[node("second")], -1);
        actions().redo->trigger();
        QCOMPARE(document().tags()[node("second")], 0);
    }

    void showsWhatASelectedNodeIs()
    {
        openModel();
        actions().tool[static_cast<std::size_t>(ToolKind::select)]->trigger();
        click("third");
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        const auto* model = widget<InspectorPanel>().view().model();
        QVERIFY(model->rowCount() > 3);
        QCOMPARE(model->index(0, 1).data().toString(), QString("third"));
    }

    void searchesAndGoesThere()
    {
        openModel();
        m_window->activateWindow();
        actions().find->trigger();
        widget<SearchField>().setFocus();
        QTest::keyClicks(&widget<SearchField>(), "op:tanh");
        QTest::keyClick(&widget<SearchField>(), Qt::Key_Return);
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
    }

    void tagsInEqualStages()
    {
        openModel();
        document().tagSources().tagInStages(2, StageMeasure::nodes);
        QVERIFY(document().checks().report().isLegal());
        QCOMPARE(document().checks().totals().tags[0].ops, 2U);
        actions().undo->trigger();
        QCOMPARE(document().checks().report().untagged.size(), 4U);
    }

    void whatTheTaggingDialogProposesIsSeenInTheGraph()
    {
        openModel();
        const CanvasWidget& canvas = sourcePane().canvas();
        const auto tagShown = [&] { return canvas.scene().style().tag(node("first")); };
        QCOMPARE(tagShown(), TagAssignment::kUntagged);
        actions().stages->trigger();
        auto* dialog = m_window->findChild<TaggingDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->proposal() != nullptr);
        QCOMPARE(tagShown(), 0);
        QCOMPARE(document().checks().report().untagged.size(), 4U); // only a preview
        dialog->reject();
        QCOMPARE(tagShown(), TagAssignment::kUntagged);
    }
};

const test::Registered<WindowTest> windowTest("window_test");
#include "window_test.moc"
