#include "menus.h"
#include "panels/outline_panel.h"
#include "panels/runs_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QMenuBar>
#include <QTabWidget>

using namespace sunder;

/// Menus of the window: of the selection, of problems, of files.
class WindowMenusTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void theSelectionIsPaintedFromItsMenu()
    {
        document().select({node("second")});
        const QStringList titles = selectionMenu("Paint " + document().tagName(1));
        QVERIFY2(titles.contains("Paint " + document().tagName(0)), qPrintable(titles.join(',')));
        QCOMPARE(document().tags()[node("second")], 1);
        document().clearSelection();
        for (const QString& title : selectionMenu())
            QVERIFY2(!title.startsWith("Paint "), qPrintable(title)); // nothing to paint
    }

    void anEdgeThatRunsBackwardsIsRepairedFromItsCard()
    {
        document().paint(std::array{node("first")}, 1);
        document().paint(std::array{node("second"), node("third"), node("fourth")}, 0);
        const auto backward = [this] { return m_window->sourcePane().canvas().pictureStyle().backward.size(); };
        const std::size_t before = backward();
        QVERIFY(before > 0);
        const auto card = [this] { emit m_window->sourcePane().canvas().backwardCardClicked(0, {200, 200}); };
        const QStringList titles = test::chooseInMenu(card);
        QVERIFY2(titles.size() >= 2 && titles.front().startsWith('['), qPrintable(titles.join(','))); // what is wrong
        test::chooseInMenu(card, titles[1]);
        test::handlePending();
        QVERIFY(backward() < before);
        document().undoStack().undo();
        test::handlePending();
        QCOMPARE(backward(), before);
    }

    void aRecentModelIsOpenedAgain()
    {
        document().close();
        QMenu* recent = nullptr;
        for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>())
            if (menu->title().remove('&') == "Open recent")
                recent = menu;
        QVERIFY(recent != nullptr);
        emit recent->aboutToShow();
        QVERIFY(!recent->actions().isEmpty());
        QCOMPARE(recent->actions().front()->text(), QString("chain.fxj"));
        recent->actions().front()->trigger();
        QTRY_VERIFY(document().isOpen());
    }

    void tagsAndSelectionFollowTheEditMenu()
    {
        m_window->actions().selectAll->trigger();
        QCOMPARE(document().selection().source.size(), document().graph().size());
        document().setActiveTag(1);
        m_window->actions().paintSelection->trigger();
        QCOMPARE(document().tags()[node("fourth")], 1);
        m_window->actions().clearSelection->trigger();
        QVERIFY(document().selection().source.empty());
        m_window->actions().eraseAll->trigger();
        QCOMPARE(document().tags()[node("fourth")], -1);
        m_window->actions().nextUntagged->trigger();
        QCOMPARE(document().selection().source, std::vector{node("first")});
        const int tags = document().tagCount();
        m_window->actions().addTag->trigger();
        QCOMPARE(document().tagCount(), tags + 1);
        m_window->actions().removeTag->trigger();
        QCOMPARE(document().tagCount(), tags);
    }

    void theHistoryIsShownWhereverItWas()
    {
        m_window->actions().showBottom->setChecked(false);
        m_window->actions().showRuns->trigger();
        QVERIFY(m_window->actions().showBottom->isChecked());
        QVERIFY(m_window->runsPanel().isVisible());
    }

    void resultsAreClosedTogether()
    {
        split();
        m_window->actions().closeResult->trigger();
        QVERIFY(document().shownSplit() == nullptr);
        QCOMPARE(document().runs().size(), std::size_t{1}); // kept
    }

private:
    Document& document() { return m_window->document(); }

    QStringList selectionMenu(const QString& chosen = {})
    {
        return test::chooseInMenu([this] { emit m_window->outlinePanel().menuRequested({100, 100}); }, chosen);
    }
};

const test::Registered<WindowMenusTest> windowMenusTest("window_menus_test");
#include "window_menus_test.moc"
