#include "panels/active_tag_button.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QToolBar>

using namespace sunder;

/// Painting does not move the commands of the tool bar.
class WindowToolBarTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void theActiveTagIsInSightInANarrowWindow()
    {
        openModel();
        auto* bar = m_window->findChild<QToolBar*>(QStringLiteral("toolBar"));
        auto* tag = m_window->findChild<ActiveTagButton*>();
        const QAction* open = actions().open;
        QCOMPARE(bar->actions().front(), open);
        m_window->resize(720, 600);
        settle();
        QVERIFY(tag->isVisible() && bar->rect().contains(tag->geometry()));
        QCOMPARE(bar->actions().front(), actions().undo);
        m_window->resize(1440, 900);
        settle();
        QCOMPARE(bar->actions().front(), open);
        QVERIFY(bar->actions().at(3)->isSeparator());
    }

    void aWindowThatStartsSmallUsesItsRoomWhenItGrows()
    {
        closeWindow();
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), test::kHangMs));
        openModel();
        const auto* bar = m_window->findChild<QToolBar*>(QStringLiteral("toolBar"));
        QCOMPARE(bar->actions().front(), actions().open);
        const int compact = m_window->findChild<ActiveTagButton*>()->width();
        m_window->resize(1600, 900);
        settle();
        QVERIFY(m_window->findChild<ActiveTagButton*>()->width() > compact);
        QVERIFY(!widget<SearchField>().placeholderText().isEmpty());
    }

    void theActiveTagKeepsItsWidth()
    {
        openModel();
        auto* button = m_window->findChild<ActiveTagButton*>();
        QVERIFY(button != nullptr);
        const QRect before = button->geometry();
        const QString said = button->accessibleName();
        document().painting().paint(std::array{node("first"), node("second"), node("third")}, 0);
        settle();
        QVERIFY(button->accessibleName() != said);
        QCOMPARE(button->geometry(), before);
        document().tagList().rename(0, "a name that is much longer than the button");
        settle();
        QCOMPARE(button->geometry(), before);
    }
};

const test::Registered<WindowToolBarTest> windowToolBarTest("window_tool_bar_test");
#include "window_tool_bar_test.moc"
