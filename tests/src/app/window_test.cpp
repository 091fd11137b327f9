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
        QVERIFY(m_window->showsWelcome());
        bool open = false;
        for (const QPushButton* button : m_window->findChildren<QPushButton*>())
            open = open || (button->isVisible() && button->text().startsWith("Open"));
        QVERIFY(open);
        QVERIFY(!m_window->actions().pass("split")->isEnabled());
    }

    void opensAModel()
    {
        openModel();
        QVERIFY(!m_window->showsWelcome());
        QCOMPARE(m_window->document().snapshot()->callCount, 4U);
        QVERIFY(m_window->windowTitle().contains("chain"));
        QVERIFY(m_window->outlinePanel().view().model()->rowCount() == 1);
    }

    void asksWhichProgramOfAFileAndRemembers()
    {
        const QString path = QString::fromStdString(test::casePath("pt2/v2_14_1_multi/model.pt2"));
        m_window->openModel(path);
        ProgramDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<ProgramDialog*>()) != nullptr);
        QVERIFY(!m_window->document().isOpen());
        QCOMPARE(dialog->list().topLevelItemCount(), 2);
        QCOMPARE(dialog->program(), QString("encoder"));
        QTest::keyClick(&dialog->list(), Qt::Key_Down);
        QTest::keyClick(&dialog->list(), Qt::Key_Return);
        QTRY_VERIFY(m_window->document().isOpen());
        QCOMPARE(m_window->document().displayName(), QString("decoder"));
        QVERIFY(m_window->windowTitle().contains("model.pt2"));

        QTRY_VERIFY(m_window->findChild<ProgramDialog*>() == nullptr);
        m_window->openModel(path); // does not ask again
        QTRY_VERIFY(!m_window->workflow().isReading());
        QVERIFY(m_window->findChild<ProgramDialog*>() == nullptr);
        QCOMPARE(m_window->document().displayName(), QString("decoder"));

        m_window->actions().otherProgram->trigger();
        QTRY_VERIFY((dialog = m_window->findChild<ProgramDialog*>()) != nullptr);
        QCOMPARE(dialog->program(), QString("decoder"));
        QTest::keyClick(&dialog->list(), Qt::Key_Up);
        QTest::keyClick(&dialog->list(), Qt::Key_Return);
        QTRY_COMPARE(m_window->document().displayName(), QString("encoder"));
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

    void aModelThatOpensBehindAnotherWindowHasTheFocusInItsGraph()
    {
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other, test::kHangMs));
        openModel();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        QTRY_VERIFY(m_window->sourcePane().canvas().hasFocus()); // not the first field of the window
    }

    void remembersItsLayout()
    {
        openModel();
        m_window->actions().showBottom->setChecked(false);
        forgetChanges();
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
        m_window->document().painting().paint(std::array{node("first"), node("second")}, 1);
        const QString beside = tagsPathBeside(m_model);
        QVERIFY(m_window->workflow().saveTags(beside));
        QVERIFY(!m_window->document().isModified());
        m_window->openModel(m_model);
        QTRY_COMPARE(m_window->document().tagsPath(), beside);
        QCOMPARE(m_window->document().tags()[node("second")], 1);
        QVERIFY(QFile::remove(beside));
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
        QCOMPARE(m_window->document().marks().selection().source, std::vector{node("third")});
        const auto* model = m_window->inspectorPanel().view().model();
        QVERIFY(model->rowCount() > 3);
        QCOMPARE(model->index(0, 1).data().toString(), QString("third"));
    }

    void searchesAndGoesThere()
    {
        openModel();
        m_window->activateWindow();
        m_window->actions().find->trigger();
        m_window->searchField().setFocus();
        QTest::keyClicks(&m_window->searchField(), "op:tanh");
        QTest::keyClick(&m_window->searchField(), Qt::Key_Return);
        QCOMPARE(m_window->document().marks().selection().source, std::vector{node("third")});
    }

    void tagsInEqualStages()
    {
        openModel();
        m_window->document().tagSources().tagInStages(2, StageMeasure::nodes);
        QVERIFY(m_window->document().checks().report().isLegal());
        QCOMPARE(m_window->document().checks().totals().tags[0].ops, 2U);
        m_window->actions().undo->trigger();
        QCOMPARE(m_window->document().checks().report().untagged.size(), 4U);
    }

    void whatTheTaggingDialogProposesIsSeenInTheGraph()
    {
        openModel();
        const CanvasWidget& canvas = m_window->sourcePane().canvas();
        const auto tagShown = [&] { return canvas.scene().style().tag(node("first")); };
        QCOMPARE(tagShown(), TagAssignment::kUntagged);
        m_window->actions().stages->trigger();
        auto* dialog = m_window->findChild<TaggingDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->proposal() != nullptr);
        QCOMPARE(tagShown(), 0);
        QCOMPARE(m_window->document().checks().report().untagged.size(), 4U); // only a preview
        dialog->reject();
        QCOMPARE(tagShown(), TagAssignment::kUntagged);
    }
};

const test::Registered<WindowTest> windowTest("window_test");
#include "window_test.moc"
