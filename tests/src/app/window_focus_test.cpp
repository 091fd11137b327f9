#include "app/keyboard_focus.h"
#include "app/workspace.h"
#include "panels/devices_panel.h"
#include "panels/inspector_panel.h"
#include "panels/welcome_page.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/submodules/submodules_bar.h"
#include "panes/submodules/submodules_pane.h"
#include "styled_window_fixture.h"
#include "test_case.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QButtonGroup>
#include <QDialog>
#include <QDockWidget>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>

#include <set>

using namespace sunder;

namespace {

QString describe(const QWidget* widget)
{
    QStringList path;
    for (const QWidget* at = widget; at != nullptr && !at->isWindow(); at = at->parentWidget())
        if (at == widget || !at->objectName().isEmpty()
            || QLatin1String(at->metaObject()->className()).startsWith(QLatin1String("sunder::")))
            path.prepend(QLatin1String(at->metaObject()->className())
                         + (at->objectName().isEmpty() ? QString() : QLatin1Char('#') + at->objectName()));
    return path.join(QLatin1String(" > "));
}

/// In an exclusive group of buttons, Tab stops at the checked one; arrow keys select the others.
bool isChosenByArrows(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button != nullptr && button->group() != nullptr && button->group()->exclusive() && !button->isChecked();
}

QString nameOf(QWidget* widget)
{
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

} // namespace

/// The focus is visible and audible on every widget that takes it, with all panes open.
class WindowFocusTest final : public test::StyledWindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_appearance->setMode(Appearance::Mode::light);
    }
    void cleanupTestCase() { removeStyle(); }
    void init()
    {
        showWindow();
        openEverything();
    }
    void cleanup() { closeWindow(); }

    void everyWidgetThatTakesTheFocusHasAName()
    {
        QStringList nameless;
        forEachStop([&](QWidget& widget) {
            if (nameOf(&widget).isEmpty())
                nameless << describe(&widget);
        });
        for (const QString& widget : nameless)
            qWarning("%s", qPrintable(widget));
        QVERIFY(nameless.isEmpty());
    }

    void theFocusIsSeen_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("light") << static_cast<int>(Appearance::Mode::light);
        QTest::newRow("dark") << static_cast<int>(Appearance::Mode::dark);
    }
    void theFocusIsSeen()
    {
        QFETCH(int, mode);
        m_appearance->setMode(static_cast<Appearance::Mode>(mode));
        settle();
        QStringList unseen;
        forEachStop([&](QWidget& widget) {
            if (!showsItsFocus(widget))
                unseen << describe(&widget);
        });
        for (const QString& widget : unseen)
            qWarning("%s", qPrintable(widget));
        QVERIFY(unseen.isEmpty());
    }

    void theFocusedRowOfATableHasAGroundWithoutGradient()
    {
        QTreeWidget table;
        table.setColumnCount(2);
        table.setAllColumnsShowFocus(true);
        auto* item = new QTreeWidgetItem(&table, {"run", "4 parts"});
        table.resize(400, 120);
        table.show();
        table.activateWindow();
        table.setFocus();
        table.setCurrentItem(item);
        QVERIFY(QTest::qWaitForWindowActive(&table, test::kHangMs));
        const QImage image = table.viewport()->grab().toImage();
        const QRect row = table.visualItemRect(item);
        const int x = row.right() - 20; // after the texts
        for (int y = row.top() + 3; y <= row.bottom() - 3; ++y)
            QCOMPARE(image.pixelColor(x, y), image.pixelColor(x, row.center().y()));
        QVERIFY(image.pixelColor(x, row.center().y()) != image.pixelColor(x, row.bottom() + 10));
    }

    void theFocusIsSeenInDialogs_data() { theFocusIsSeen_data(); }
    void theFocusIsSeenInDialogs()
    {
        QFETCH(int, mode);
        m_appearance->setMode(static_cast<Appearance::Mode>(mode));
        QStringList bad;
        for (QAction* action : {actions().pass("partition"), actions().exportAll}) {
            action->trigger();
            QDialog* dialog = nullptr;
            for (QDialog* child : m_window->findChildren<QDialog*>())
                dialog = child->isVisible() ? child : dialog;
            QVERIFY(dialog != nullptr);
            if (auto* exports = qobject_cast<ExportDialog*>(dialog))
                exports->setFormat("picture"); // has the most fields
            settle();
            dialog->activateWindow();
            for (QWidget* widget : stopsOf(*dialog))
                if (nameOf(widget).isEmpty() || !showsItsFocus(*widget))
                    bad << describe(widget) + QLatin1Char(' ') + nameOf(widget);
            dialog->close();
        }
        for (const QString& widget : bad)
            qWarning("%s", qPrintable(widget));
        QVERIFY(bad.isEmpty());
    }

    void theFocusIsSeenBeforeAModelIsOpen()
    {
        closeWindow();
        showWindow();
        std::set<QWidget*> seen;
        for (QWidget* at = QApplication::focusWidget(); seen.insert(at).second; at = QApplication::focusWidget())
            QTest::keyClick(at, Qt::Key_Tab);
        QVERIFY(seen.size() > 3); // the button and the samples
        for (QWidget* widget : seen)
            QVERIFY2(!nameOf(widget).isEmpty() && showsItsFocus(*widget), qPrintable(describe(widget)));
    }

    void theFirstPageIsUsedByKeys()
    {
        closeWindow();
        showWindow();
        QVERIFY(showsWelcome());
        auto* open = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(open != nullptr && open->autoDefault()); // Enter opens the dialog
        QTest::keyClick(open, Qt::Key_Tab);
        auto* model = qobject_cast<QPushButton*>(QApplication::focusWidget()); // recent or a sample, not the tool bar
        QVERIFY2(model != nullptr && m_window->findChild<WelcomePage*>()->isAncestorOf(model),
                 qPrintable(describe(QApplication::focusWidget())));
        QTest::keyClick(model, Qt::Key_Return);
        QTRY_VERIFY(document().isOpen());
    }

    /// A graph without scroll bars covers all of its pane.
    void controlTabAndTabReachAGraphThatFillsItsPane()
    {
        PartitionDagPane& pane = workspace().partitionDag();
        dockOf(pane).raise();
        QTRY_VERIFY(isInSight(pane));
        auto* view = pane.findChild<DagView*>();
        QVERIFY(!view->horizontalScrollBar()->isVisible() && !view->verticalScrollBar()->isVisible());
        sourcePane().canvas().setFocus();
        actions().nextArea->trigger();
        QVERIFY2(view->hasFocus(), qPrintable(describe(QApplication::focusWidget())));
        QTest::keyClick(view, Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
        QVERIFY2(view->hasFocus(), qPrintable(describe(QApplication::focusWidget())));
    }

    void tabGoesRoundThroughEveryStop()
    {
        sourcePane().canvas().setFocus();
        std::set<QWidget*> left;
        for (QWidget* widget : stops())
            left.insert(widget);
        QWidget* const first = QApplication::focusWidget();
        do {
            QWidget* at = QApplication::focusWidget();
            left.erase(at);
            QTest::keyClick(at, Qt::Key_Tab);
            QVERIFY2(QApplication::focusWidget() != at, qPrintable(QStringLiteral("stuck in ") + describe(at)));
        } while (QApplication::focusWidget() != first);
        QStringList unreached;
        for (QWidget* widget : left)
            unreached << describe(widget);
        for (const QString& widget : unreached)
            qWarning("%s", qPrintable(widget));
        QVERIFY(unreached.isEmpty());
    }

    void controlTabGoesThroughPanesAndPanels()
    {
        document().marks().select({document().graph().first()}); // otherwise the inspector is empty
        m_window->resize(1440, 1300);
        QTRY_COMPARE(workspace().rows(), 2); // otherwise the DAG is hidden by the comparison
        sourcePane().canvas().setFocus();
        QStringList way;
        do {
            actions().nextArea->trigger();
            QWidget* at = QApplication::focusWidget();
            QVERIFY(at != nullptr && isInSight(*at));
            way << nameOf(at);
        } while (!sourcePane().canvas().hasFocus() && way.size() < 20);
        QCOMPARE(way.size(), 8); // DAG, compare; problems; outline, tags, devices, inspector; source
        actions().previousArea->trigger();
        QVERIFY(widget<InspectorPanel>().isAncestorOf(QApplication::focusWidget()));
        actions().previousArea->trigger();
        QVERIFY(widget<DevicesPanel>().isAncestorOf(QApplication::focusWidget()));
    }

private:
    void openEverything()
    {
        openSample();
        document().devices().set({{.name = "a", .availableBytes = 500e3, .logicalId = 0},
                                  {.name = "b", .availableBytes = 500e3, .logicalId = 1},
                                  {.name = "c", .availableBytes = 500e3, .logicalId = 2}},
                                 "devices");
        workflow().run("split");
        QTRY_VERIFY(document().runs().list().size() == 1);
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_VERIFY(document().runs().list().size() == 2);
        workflow().run("unflatten");
        QTRY_VERIFY(document().runs().shown<UnflattenOutcomePtr>() != nullptr);
        workflow().run("deduplicate");
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>() != nullptr);
        workspace().compare(1, 2);
        settle();
    }

    /// Visible widgets of a window, this one or a dialog, where the focus can stop.
    std::vector<QWidget*> stops() const { return stopsOf(*m_window); }
    static std::vector<QWidget*> stopsOf(const QWidget& window)
    {
        std::vector<QWidget*> found;
        for (QWidget* widget : window.findChildren<QWidget*>())
            if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() && isInSight(*widget)
                && widget->focusProxy() == nullptr && widget->window() == &window && !isChosenByArrows(*widget))
                found.push_back(widget);
        return found;
    }

    /// Visits each of them once, for all panes, views of a part, and panels.
    template <typename Visit>
    void forEachStop(const Visit& visit)
    {
        std::set<QWidget*> seen;
        const auto visitNew = [&] {
            settle();
            for (QWidget* widget : stops())
                if (seen.insert(widget).second && isInSight(*widget))
                    visit(*widget);
        };
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                visitNew();
            }
        for (QDockWidget* dock : workspace().findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            visitNew();
            for (QTabBar* tabs : dock->findChildren<QTabBar*>())
                for (int tab = 0; tab < std::min(tabs->count(), 2); ++tab) {
                    tabs->setCurrentIndex(tab);
                    visitNew();
                }
        }
        for (const SubmoduleMode mode : {SubmoduleMode::code, SubmoduleMode::both, SubmoduleMode::names}) {
            dockOf(widget<SubmodulesPane>()).raise();
            widget<SubmodulesPane>().bar().setMode(mode);
            visitNew();
        }
    }

    QDockWidget& dockOf(QWidget& pane) const { return *qobject_cast<QDockWidget*>(pane.parentWidget()); }

    static QImage pictureAround(QWidget& widget)
    {
        test::handlePending();
        QWidget& window = *widget.window();
        const QRect at(widget.mapTo(&window, QPoint(0, 0)), widget.size());
        return window.grab(at.adjusted(-3, -3, 3, 3)).toImage();
    }

    /// Whether it looks different with the focus.
    static bool showsItsFocus(QWidget& widget)
    {
        widget.window()->setAttribute(Qt::WA_KeyboardFocusChange); // as Tab does
        widget.setFocus(Qt::TabFocusReason);
        const QImage with = pictureAround(widget);
        widget.clearFocus();
        return pictureAround(widget) != with;
    }
};

const test::Registered<WindowFocusTest> windowFocusTest("window_focus_test");
#include "window_focus_test.moc"
