#include "app/recent_models.h"
#include "menus.h"
#include "panels/outline_panel.h"
#include "panels/runs_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDirIterator>
#include <QHash>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTabWidget>

#include <algorithm>
#include <map>

using namespace sunder;

/// Menus of the window: for the selection, problems, and files.
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
        document().marks().select({node("second")});
        const QStringList titles = selectionMenu("Paint " + document().tagName(1));
        QVERIFY2(titles.contains("Paint " + document().tagName(0)), qPrintable(titles.join(',')));
        QCOMPARE(document().tags()[node("second")], 1);
        document().marks().clear();
        for (const QString& title : selectionMenu())
            QVERIFY2(!title.startsWith("Paint "), qPrintable(title)); // nothing to paint
    }

    /// Texts like "Paint › Tag automatically" in messages, forms, and documentation name existing entries.
    void textsNameEntriesThatExist()
    {
        const std::map<QString, QStringList> entries = entriesOfMenus();
        static const QRegularExpression mention(QStringLiteral("\\b(File|Edit|View|Paint|Passes|Window|Help) › ([^\"<>]{1,80})"));
        int found = 0;
        for (const char* folder : {"src", "ui", "core", "docs", "README.md"}) {
            const QString root = QStringLiteral(SUNDER_SOURCE "/") + folder;
            QStringList files = QFileInfo(root).isFile() ? QStringList{root} : QStringList();
            QDirIterator all(root, {"*.cpp", "*.h", "*.ui", "*.md"}, QDir::Files, QDirIterator::Subdirectories);
            while (all.hasNext())
                files << all.next();
            for (const QString& path : files) {
                QFile file(path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString text = QString::fromUtf8(file.readAll()).simplified();
                for (auto match = mention.globalMatch(text); match.hasNext(); ++found) {
                    const QRegularExpressionMatch one = match.next();
                    const QStringList& titles = entries.at(one.captured(1));
                    QVERIFY2(std::ranges::any_of(titles, [&](const QString& title) { return one.captured(2).startsWith(title); }),
                             qPrintable(path + ": " + one.captured(0)));
                }
            }
        }
        QVERIFY(found > 5);
    }

    /// Each letter then chooses its entry at once.
    void noTwoEntriesOfAMenuShareALetter()
    {
        QList<QMenu*> menus{nullptr}; // the menu bar itself
        for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>())
            menus << menu;
        for (QMenu* menu : menus) {
            QHash<QChar, QString> owners;
            const QList<QAction*> actions = menu == nullptr ? m_window->menuBar()->actions() : menu->actions();
            for (const QAction* action : actions) {
                const QString title = action->text();
                const qsizetype at = QString(title).replace("&&", "  ").indexOf(u'&');
                if (at < 0 || !action->isVisible() || action->isSeparator())
                    continue;
                const QChar letter = title[at + 1].toLower();
                QVERIFY2(!owners.contains(letter), qPrintable(owners[letter] + " | " + title));
                owners.insert(letter, title);
            }
        }
    }

    void recentFilesOfOneNameSayTheirFolders()
    {
        for (const char* path : {"/one/model.pt2", "/two/model.pt2", "/two/other.pt2"})
            rememberModel(path);
        QMenu* file = m_window->menuBar()->actions().front()->menu();
        for (QAction* action : file->actions())
            if (action->text() == "Open &recent") {
                emit action->menu()->aboutToShow();
                QStringList titles;
                for (const QAction* recent : action->menu()->actions())
                    titles << recent->text();
                QVERIFY2(titles.contains("model.pt2 in /one") && titles.contains("model.pt2 in /two")
                             && titles.contains("other.pt2"),
                         qPrintable(titles.join(" | ")));
                return;
            }
        QFAIL("no menu");
    }

    void anEdgeThatRunsBackwardsIsRepairedFromItsCard()
    {
        document().painting().paint(std::array{node("first")}, 1);
        document().painting().paint(std::array{node("second"), node("third"), node("fourth")}, 0);
        const auto backward = [this] { return sourcePane().canvas().pictureStyle().backward.size(); };
        const std::size_t before = backward();
        QVERIFY(before > 0);
        const auto card = [this] { emit sourcePane().canvas().backwardCardClicked(0, {200, 200}); };
        const QStringList titles = test::chooseInMenu(card);
        QVERIFY2(titles.size() >= 2 && titles.front().startsWith('['), qPrintable(titles.join(','))); // the problem
        test::chooseInMenu(card, titles[1]);
        test::handlePending();
        QVERIFY(backward() < before);
        document().undo();
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
        actions().selectAll->trigger();
        QCOMPARE(document().marks().selection().source.size(), document().graph().size());
        document().tagList().setActive(1);
        actions().paintSelection->trigger();
        QCOMPARE(document().tags()[node("fourth")], 1);
        actions().clearSelection->trigger();
        QVERIFY(document().marks().selection().source.empty());
        actions().eraseAll->trigger();
        QCOMPARE(document().tags()[node("fourth")], -1);
        actions().nextUntagged->trigger();
        QCOMPARE(document().marks().selection().source, std::vector{node("first")});
        const int tags = document().tagCount();
        actions().addTag->trigger();
        QCOMPARE(document().tagCount(), tags + 1);
        actions().removeTag->trigger();
        QCOMPARE(document().tagCount(), tags);
    }

    void theHistoryIsShownWhereverItWas()
    {
        actions().showBottom->setChecked(false);
        actions().showRuns->trigger();
        QVERIFY(actions().showBottom->isChecked());
        QVERIFY(widget<RunsPanel>().isVisible());
    }

    void openAndCloseActOnWhatWasClicked()
    {
        openSample();
        settle();
        CanvasWidget& canvas = sourcePane().canvas();
        const auto menuOf = [&](const std::string& key, const QString& chosen = {}) {
            const ItemId item = canvas.scene().itemWithKey(key);
            const QPoint at = canvas.viewRectOf(item).topLeft().toPoint() + QPoint(40, 6);
            QContextMenuEvent click(QContextMenuEvent::Mouse, at, canvas.mapToGlobal(at));
            const QStringList titles = test::chooseInMenu([&] { QCoreApplication::sendEvent(&canvas, &click); }, chosen);
            settle();
            return titles;
        };
        const auto isOpen = [&](const std::string& key) {
            const ItemId item = canvas.scene().itemWithKey(key);
            return item && canvas.scene().item(item).kind == ItemKind::frame;
        };
        QVERIFY(isOpen("blocks.0") && !isOpen("head"));
        const QStringList closed = menuOf("head");
        QVERIFY2(closed.contains("Open") && closed.contains("[Close]"), qPrintable(closed.join(',')));
        const QStringList open = menuOf("blocks.0", "Close");
        QVERIFY2(open.contains("[Open]") && open.contains("Close"), qPrintable(open.join(',')));
        QVERIFY(!isOpen("blocks.0"));
        menuOf("head", "Open");
        QVERIFY(isOpen("head"));
        for (const char* command :
             {"Select similar", "Select upstream", "Select downstream", "Copy name", "Copy as FX graph text"})
            QVERIFY2(open.contains(command), command);
    }

    void theOutlineOpensTheModuleThatWasClicked()
    {
        openSample();
        settle();
        QTreeView& outline = widget<OutlinePanel>().view();
        QModelIndex row = outline.model()->index(0, 0);
        const auto child = [&](const QString& name) {
            outline.expand(row);
            for (int i = 0; i < outline.model()->rowCount(row); ++i)
                if (outline.model()->index(i, 0, row).data().toString() == name)
                    return outline.model()->index(i, 0, row);
            return QModelIndex();
        };
        for (const char* name : {"blocks", "0", "attention"})
            row = child(name);
        QVERIFY(row.isValid());
        outline.scrollTo(row);
        const QPoint at = outline.visualRect(row).center();
        QTest::mouseClick(outline.viewport(), Qt::RightButton, {}, at);
        test::chooseInMenu([&] { emit outline.customContextMenuRequested(at); }, "Open");
        settle();
        const CanvasScene& scene = sourcePane().canvas().scene();
        const ItemId item = scene.itemWithKey("blocks.0.attention");
        QVERIFY(item && scene.item(item).kind == ItemKind::frame);
    }

    void resultsAreClosedTogether()
    {
        split();
        actions().closeResult->trigger();
        QVERIFY(document().runs().shownSplit() == nullptr);
        QCOMPARE(document().runs().list().size(), std::size_t{1}); // still in the history
    }

private:
    /// The titles of the entries of each menu and its submenus, without mnemonics and ellipses.
    std::map<QString, QStringList> entriesOfMenus()
    {
        const auto plain = [](QString title) { return title.remove(QLatin1Char('&')).remove(QStringLiteral("…")); };
        std::map<QString, QStringList> entries;
        for (const QAction* menu : m_window->menuBar()->actions()) {
            QStringList& titles = entries[plain(menu->text())];
            QList<QAction*> waiting = menu->menu()->actions();
            while (!waiting.isEmpty()) {
                const QAction* entry = waiting.takeLast();
                if (entry->isSeparator())
                    continue;
                titles << plain(entry->text());
                if (entry->menu() != nullptr)
                    waiting += entry->menu()->actions();
            }
        }
        return entries;
    }

    QStringList selectionMenu(const QString& chosen = {})
    {
        return test::chooseInMenu([this] { emit widget<OutlinePanel>().menuRequested({100, 100}, {}, {}); }, chosen);
    }
};

const test::Registered<WindowMenusTest> windowMenusTest("window_menus_test");
#include "window_menus_test.moc"
