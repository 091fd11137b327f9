#include "app/workspace.h"
#include "clipped_texts.h"
#include "styled_window_fixture.h"
#include "test_case.h"

#include <QDialog>
#include <QDockWidget>
#include <QTabWidget>
#include <QTimer>

using namespace sunder;
using namespace sunder::test;

/// No text is clipped at any size of the window, in both themes. ctest runs it at four scales.
class WindowClippingTest final : public test::StyledWindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanupTestCase() { removeStyle(); }
    void cleanup()
    {
        if (m_window)
            closeWindow();
    }

    void aTextWithoutRoomIsFound()
    {
        QWidget window;
        auto* label = new QLabel("A line that is longer than its label", &window);
        label->setGeometry(0, 0, 60, 20);
        auto* button = new QPushButton("Split into partitions", &window);
        button->setGeometry(0, 30, 50, 24);
        auto* paragraph = new QLabel("Words that wrap and wrap until they need more lines than there are.", &window);
        paragraph->setWordWrap(true);
        paragraph->setGeometry(0, 60, 80, 20);
        auto* aside = new QPushButton("OK", &window);
        aside->setGeometry(180, 60, 60, 24);
        window.resize(200, 100);
        window.show();
        ClippedTexts clipped;
        clipped.look(window);
        QCOMPARE(clipped.seen, 4);
        QCOMPARE(clipped.faults.size(), 4);
        label->setGeometry(0, 0, 300, 20);
        button->setGeometry(0, 30, 200, 24);
        paragraph->setGeometry(0, 60, 180, 200);
        aside->setGeometry(100, 60, 60, 24);
        window.resize(320, 300);
        ClippedTexts now;
        now.look(window);
        QVERIFY2(now.faults.isEmpty(), qPrintable(now.faults.join('\n')));
    }

    void nothingIsClipped_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Appearance::Mode>("mode");
        for (const QSize size : {QSize(720, 450), QSize(1100, 700), QSize(1440, 900), QSize(1920, 1080), QSize(3840, 2160)})
            for (const Appearance::Mode mode : {Appearance::Mode::light, Appearance::Mode::dark})
                QTest::addRow("%d×%d, %s", size.width(), size.height(), qPrintable(Appearance::nameOf(mode))) << size << mode;
    }
    void nothingIsClipped()
    {
        QFETCH(QSize, size);
        QFETCH(Appearance::Mode, mode);
        m_appearance->setMode(mode);
        showWindow();
        m_window->resize(size);
        settle();
        look("welcome");
        openSample();
        QTRY_VERIFY(document().graph().size() > 100);
        settle();
        look("model");
        for (const char* pass : {"split", "findRegions", "unflatten"}) {
            workflow().run(pass);
            settle();
        }
        document().marks().select({document().graph().order()[40]});
        settle();
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                look("panel");
            }
        for (QDockWidget* dock : workspace().findChildren<QDockWidget*>())
            if (!dock->isHidden()) {
                dock->raise();
                settle();
                look(dock->objectName());
            }
        m_window->findChild<QAction*>("arrange-to-pipeline")->trigger();
        for (QTabWidget* pages : workspace().findChildren<QTabWidget*>("pages"))
            for (const int page : {1, 0}) {
                pages->setCurrentIndex(page);
                settle();
                look("timeline");
            }
        for (const char* name : {"split-in-partitions", "partition", "tag-in-equal-stages", "export", "settings", "about-sunder",
                                 "keys-and-gestures", "custom-operators"})
            if (auto* action = m_window->findChild<QAction*>(name)) {
                QTimer::singleShot(0, this, [&] { lookAtDialogs(name); }); // some dialogs are modal and block
                action->trigger();
                settle();
                lookAtDialogs(name);
            }
        QVERIFY(m_dialogs >= 6);
        QVERIFY2(m_clipped.seen > 200, qPrintable(QString::number(m_clipped.seen)));
        m_clipped.faults.removeDuplicates();
        QVERIFY2(m_clipped.faults.isEmpty(), qPrintable('\n' + m_clipped.faults.join('\n')));
    }

    void init()
    {
        m_clipped = {};
        m_dialogs = 0;
    }

private:
    void lookAtDialogs(const QString& scene)
    {
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            if (dialog->isVisible()) {
                look(scene);
                dialog->reject();
                ++m_dialogs;
            }
    }
    void look(const QString& scene)
    {
        handlePending();
        const qsizetype before = m_clipped.faults.size();
        for (const QWidget* top : QApplication::topLevelWidgets())
            if (top->isVisible())
                m_clipped.look(*top);
        for (qsizetype i = before; i < m_clipped.faults.size(); ++i)
            m_clipped.faults[i].prepend(scene + ": ");
    }

    ClippedTexts m_clipped;
    int m_dialogs = 0;
};

const test::Registered<WindowClippingTest> windowClippingTest("window_clipping_test");
#include "window_clipping_test.moc"
