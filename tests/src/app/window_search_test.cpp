#include "panels/devices_panel.h"
#include "panels/log_panel.h"
#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "panels/tags_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QSplitter>
#include <QTabWidget>
#include <QToolBar>

using namespace sunder;

/// Text typed after Ctrl+F goes to the search field at every width of the window, and never paints.
class WindowSearchTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
        QApplication::setActiveWindow(m_window.get());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        canvas().setFocus();
        document().marks().select(document().graph().order()); // so that a stray P would paint all of it
    }
    void cleanup() { closeWindow(); }

    void theFieldIsInSightAtEveryWidth_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {2560, 1440, 1280, 1279, 1100, 1024, 900, 800, 720})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void theFieldIsInSightAtEveryWidth()
    {
        QFETCH(int, width);
        m_window->resize(width, 600);
        test::handlePending();
        QCOMPARE(m_window->width(), width); // nothing forces the window to be wider
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
        const SearchField& field = widget<SearchField>();
        QCOMPARE(QApplication::focusWidget(), static_cast<const QWidget*>(&field));
        test::handlePending(); // in a narrow window, it was only an icon before
        QVERIFY(!field.visibleRegion().isEmpty());
        QCOMPARE(field.visibleRegion().boundingRect(), field.rect());
        QVERIFY(field.width() >= 140);
        type("op:relu");
        QCOMPARE(field.text(), QStringLiteral("op:relu"));
        QCOMPARE(paintedOps(), 0);
        QVERIFY(m_window->rect().contains(m_window->findChild<QWidget*>("searchPopup")->geometry()));
    }

    void whatIsTypedIsDroppedWhereTheFieldIsOutOfReach()
    {
        m_window->findChild<QToolBar*>("searchBar")->hide();
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
        type("op:linear");
        QTest::keyClick(focused(), Qt::Key_Delete);
        QTest::keyClick(focused(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(paintedOps(), 0);
        QVERIFY(actions().tool[0]->isChecked()); // nor does E choose the eraser
        QTest::keyClick(focused(), Qt::Key_Escape);
        QTest::keyClick(&canvas(), Qt::Key_P);
        QCOMPARE(paintedOps(), 4);
    }

    void aClickInTheCanvasEndsTheWaiting()
    {
        m_window->findChild<QToolBar*>("searchBar")->hide();
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ControlModifier);
        click("second");
        QTest::keyClick(&canvas(), Qt::Key_P);
        QCOMPARE(paintedOps(), 1);
    }

    void renamingATagShowsItsPanelFirst()
    {
        actions().showSide->setChecked(false);
        QTest::keyClick(&canvas(), Qt::Key_F2);
        type("pnp");
        QCOMPARE(paintedOps(), 0);
        QTest::keyClick(focused(), Qt::Key_Return);
        QTRY_COMPARE(document().tagName(0), QStringLiteral("pnp"));
    }

    void singleKeysPaintOnlyWhereOneSelects_data()
    {
        QTest::addColumn<QString>("where");
        QTest::addColumn<int>("painted");
        QTest::newRow("canvas") << "canvas" << 4;
        QTest::newRow("outline") << "outline" << 4;
        QTest::newRow("tags") << "tags" << 0;
        QTest::newRow("devices") << "devices" << 0;
        QTest::newRow("log") << "log" << 0;
    }
    void singleKeysPaintOnlyWhereOneSelects()
    {
        QFETCH(QString, where);
        QFETCH(int, painted);
        QWidget* place = &canvas();
        if (where == "outline")
            place = widget<OutlinePanel>().findChild<QAbstractItemView*>();
        else if (where == "tags")
            place = widget<TagsPanel>().findChild<QAbstractItemView*>();
        else if (where == "devices")
            place = widget<DevicesPanel>().findChild<QAbstractItemView*>();
        else if (where == "log") {
            place = m_window->findChild<LogPanel*>();
            m_window->findChild<QTabWidget*>("panel")->setCurrentWidget(place);
        }
        place->setFocus();
        QTest::keyClick(place, Qt::Key_P);
        QCOMPARE(paintedOps(), painted);
        QTest::keyClick(place, Qt::Key_Delete);
        QCOMPARE(paintedOps(), 0);
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    QWidget* focused() { return QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : m_window.get(); }

    void type(const char* keys)
    {
        for (const char* at = keys; *at != '\0'; ++at)
            QTest::keyClick(focused(), *at);
    }

    int paintedOps()
    {
        int painted = 0;
        for (const NodeId id : document().graph().order())
            painted += document().snapshot()->isCall(id) && document().tags()[id] >= 0 ? 1 : 0;
        return painted;
    }
};

const test::Registered<WindowSearchTest> windowSearchTest("window_search_test");
#include "window_search_test.moc"
