#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QClipboard>
#include <QDialog>
#include <QLineEdit>
#include <QSettings>
#include <QTreeWidget>

using namespace sunder;

/// Places that one was at, commands by their letters, and what is done with a selection.
class WindowGoingTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
        canvas().setFocus();
    }
    void cleanup() { closeWindow(); }

    void backAndForwardGoThroughSelections()
    {
        const std::vector<NodeId> all = document().graph().order();
        QVERIFY(!m_window->actions().back->isEnabled());
        document().select({all[1]});
        document().select({all[2]});
        document().clearSelection();
        document().select({all[3]});
        m_window->actions().back->trigger();
        QCOMPARE(document().selection().source, std::vector{all[2]});
        m_window->actions().back->trigger();
        QCOMPARE(document().selection().source, std::vector{all[1]});
        QVERIFY(!m_window->actions().back->isEnabled());
        m_window->actions().forward->trigger();
        QCOMPARE(document().selection().source, std::vector{all[2]});
        document().select({all[0]}); // what lay ahead is gone
        QVERIFY(!m_window->actions().forward->isEnabled());
    }

    void altWithAnArrowDoesNotWalkWhereThereIsNoWayBack()
    {
        const std::vector<NodeId> all = document().graph().order();
        document().select({all[1]});
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right}) {
            QTest::keyClick(&canvas(), key, Qt::AltModifier);
            QCOMPARE(document().selection().source, std::vector{all[1]});
        }
    }

    void goToFindsANodeByItsLetters()
    {
        const NodeId last = document().graph().order().back();
        m_window->actions().goTo->trigger();
        auto* dialog = m_window->findChild<QDialog*>("quickPick");
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>("field");
        field->setText(QString::fromStdString(document().graph()[last].name.str()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().selection().source, std::vector{last});
    }

    void thePaletteRunsACommandAndRemembersIt()
    {
        QSettings().remove("palette/recent");
        m_window->actions().palette->trigger();
        auto* dialog = m_window->findChild<QDialog*>("quickPick");
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>("field");
        field->setText("select all");
        auto* list = dialog->findChild<QTreeWidget*>("list");
        QCOMPARE(list->topLevelItem(0)->text(0), QString("Select all"));
        QVERIFY(!list->topLevelItem(0)->text(1).isEmpty()); // its shortcut
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().selection().source.size(), document().graph().size());
        QCOMPARE(QSettings().value("palette/recent").toStringList().value(0), QString("Select all"));
    }

    void namesAreCopied()
    {
        const std::vector<NodeId> all = document().graph().order();
        document().select({all[1], all[0]});
        QTest::keyClick(&canvas(), Qt::Key_C, Qt::ControlModifier);
        const auto nameOf = [&](NodeId id) { return QString::fromStdString(document().graph()[id].name.str()); };
        QCOMPARE(QGuiApplication::clipboard()->text(), nameOf(all[0]) + "\n" + nameOf(all[1]));
        m_window->actions().copyPrinted->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("%" + nameOf(all[0]) + " : "));
    }

    void theGraphIsShownAtItsOwnSize()
    {
        m_window->actions().actualSize->trigger();
        QCOMPARE(canvas().camera().zoom(), 1.0);
    }

private:
    Document& document() { return m_window->document(); }
    CanvasWidget& canvas() { return m_window->sourcePane().canvas(); }
};

const test::Registered<WindowGoingTest> windowGoingTest("window_going_test");
#include "window_going_test.moc"
