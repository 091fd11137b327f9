#include "panels/log_panel.h"
#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "text/shown_text.h"
#include "text_walk.h"
#include "window_fixture.h"

#include <QDialog>
#include <QDockWidget>
#include <QHelpEvent>
#include <QTabWidget>
#include <QTimer>

using namespace sunder;
using namespace sunder::test;

/// Names from files are shown literally: not as markup, mnemonics, or control characters, and never so long that the window
/// becomes unusable.
class WindowHostileNamesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_hostile = m_folder.filePath("Q7<b>&model[*]\u202Efxj.fxj");
        QFile file(m_hostile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(hostileModel());
    }

    void init()
    {
        m_walk = {};
        showWindow();
        m_window->openModel(m_hostile);
        QTRY_VERIFY2(document().isOpen(), "the model of hostile names was not opened");
        QTRY_VERIFY(sourcePane().canvas().picture() != nullptr);
        settle();
    }
    void cleanup() { closeWindow(); }

    void everythingSaysNamesAsTheyAre()
    {
        renameTags();
        document().devices().set({{.name = hostileNames()[0].toStdString(), .availableBytes = 1e9, .logicalId = 0},
                                  {.name = hostileNames()[4].toStdString(), .availableBytes = 1e9, .logicalId = 1},
                                  {.name = hostileNames()[8].toStdString(), .availableBytes = 1e9, .logicalId = 2}},
                                 "devices");
        const std::vector<NodeId> all = document().graph().order();
        document().painting().paint(std::span(all).first(all.size() / 2 - 1),
                                    1); // tags in reverse order give problems with names in them
        document().painting().paint(std::span(all).last(all.size() / 2), 0);
        walk();
        document().painting().paint(std::span(all).first(all.size() / 2), 0);
        document().painting().paint(std::span(all).subspan(all.size() / 2), 1);
        workflow().run("split");
        QTRY_VERIFY2(document().runs().shownSplit() != nullptr, qPrintable(m_window->findChild<LogPanel*>()->toPlainText()));
        workflow().run("findRegions");
        QTRY_VERIFY(jobs().runningCount() == 0);
        document().marks().select({all[3]});
        walk();
        document().marks().select(all);
        widget<SearchField>().setText(kMark);
        walk();
        actions().pass("partition")->trigger();
        actions().exportAll->trigger();
        walk();
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            dialog->close();
        QVERIFY(m_walk.foreign > 500);
        report();
    }

    void noNameMakesTheWindowWide()
    {
        renameTags();
        document().marks().select({document().graph().order()[8]});
        const std::vector<NodeId> all = document().graph().order();
        document().painting().paint(std::span(all).first(9), 1);
        document().painting().paint(std::span(all).subspan(9), 0);
        workflow().run("split");
        settle();
        QVERIFY2(m_window->minimumSizeHint().width() <= 720, qPrintable(QString::number(m_window->minimumSizeHint().width())));
        m_window->resize(800, 600);
        handlePending();
        QCOMPARE(m_window->width(), 800);
    }

    void tooltipsAreTextAndFitOnAScreen()
    {
        CanvasWidget& canvas = sourcePane().canvas();
        actions().openAll->trigger();
        settle();
        canvas.fitAll();
        Walk walk;
        const auto& items = canvas.picture()->items;
        int tips = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const ItemId item(static_cast<std::uint32_t>(i));
            const QPoint at = canvas.viewRectOf(item).center().toPoint();
            tips += showsAPlainTip(canvas, at, walk) ? 1 : 0;
        }
        QVERIFY(tips > 5);
        auto* outline = widget<OutlinePanel>().findChild<QAbstractItemView*>();
        for (int row = 0; row < std::min(6, outline->model()->rowCount()); ++row)
            showsAPlainTip(*outline->viewport(), outline->visualRect(outline->model()->index(row, 0)).center(), walk);
        m_walk.faults += walk.faults;
        report();
    }

    void messagesAreText()
    {
        emit workflow().failed(hostileNames()[0], hostileNames().join(' '));
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        settle();
        QVERIFY2(box->width() < 1600, qPrintable(QString::number(box->width())));
        QVERIFY(box->headline().contains("<img src="));
        walk();
        report();
    }

    void menusShowNamesAsTheyAre()
    {
        renameTags();
        document().marks().select({document().graph().order()[3]});
        QMenu* seen = nullptr;
        Walk walk;
        QTimer::singleShot(0, this, [&] {
            seen = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (seen == nullptr)
                return;
            for (const QAction* action : seen->actions())
                walk.action("menu", *action);
            seen->close();
        });
        emit widget<OutlinePanel>().menuRequested(m_window -> mapToGlobal(QPoint(100, 100)), {}, {});
        QVERIFY(seen != nullptr);
        QVERIFY(walk.foreign > 0);
        m_walk.faults += walk.faults;
        report();
    }

    void shortensAndFolds()
    {
        const QString longest(10'000, QLatin1Char('x'));
        QVERIFY(brief(longest).size() <= 80);
        QVERIFY(caption(longest).size() <= 60);
        for (const QString& line : folded(longest + ' ' + longest).split('\n'))
            QVERIFY(line.size() <= 110);
        QCOMPARE(folded("a b\nc"), QStringLiteral("a b\nc"));
        QCOMPARE(caption("a & b"), QStringLiteral("a && b"));
        QCOMPARE(visible(QStringLiteral("a\u202Eb\n")), QStringLiteral("a\\u202eb\\n"));
        QCOMPARE(brief(QString(100, QChar(0xD83D)) + QChar(0xDE42), 20).size(), 20);
    }

private:
    void renameTags()
    {
        const QStringList names{hostileNames()[0], hostileNames()[3], hostileNames()[4], hostileNames()[8]};
        TagAssignment tags = document().tags();
        tags.order.clear();
        for (const QString& name : names)
            tags.order.push_back(intern(QString(name).remove('.').toStdString()));
        document().tagSources().setTags(std::move(tags), "tags");
    }

    void walk()
    {
        settle();
        const auto all = [&] {
            for (QWidget* widget : QApplication::allWidgets())
                m_walk.widget(*widget);
        };
        all();
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab)
                tabs->setCurrentIndex(tab);
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
            if (!dock->isHidden()) {
                dock->raise();
                for (QTabBar* tabs : dock->findChildren<QTabBar*>())
                    for (int tab = 0; tab < tabs->count(); ++tab) {
                        tabs->setCurrentIndex(tab);
                        handlePending();
                    }
            }
        settle();
        all();
        m_walk.accessible(QAccessible::queryAccessibleInterface(m_window.get()));
    }

    /// Whether a tooltip at this point is plain text; false if there is none.
    static bool showsAPlainTip(QWidget& widget, QPoint at, Walk& walk)
    {
        QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
        QApplication::sendEvent(&widget, &help);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* tip = qobject_cast<QLabel*>(top); tip != nullptr && tip->inherits("QTipLabel") && tip->isVisible()) {
                walk.widget(*tip);
                if (tip->width() > 1000 || tip->height() > 800)
                    walk.faults << "a tip is larger than a screen";
                tip->hide();
                return true;
            }
        return false;
    }

    void report()
    {
        m_walk.faults.removeDuplicates();
        for (const QString& fault : m_walk.faults)
            qWarning("%s", qPrintable(fault));
        QCOMPARE(m_walk.faults.size(), 0);
    }

    QString m_hostile;
    Walk m_walk;
};

const test::Registered<WindowHostileNamesTest> windowHostileNamesTest("window_hostile_names_test");
#include "window_hostile_names_test.moc"
