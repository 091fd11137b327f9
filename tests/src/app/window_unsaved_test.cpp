#include "app/project.h"
#include "panels/devices_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QTimer>
#include <QToolButton>

using namespace sunder;

/// Unsaved work: the mark in the title, and the question before it is lost.
class WindowUnsavedTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QSettings().clear();
        showWindow();
    }
    void cleanup() { closeWindow(); }

    void aDeviceIsUnsavedUntilItIsUndone()
    {
        openModel();
        QVERIFY(!m_window->isWindowModified());
        addDevice();
        QVERIFY(m_window->isWindowModified());
        QVERIFY(asksBefore(*actions().close, "Cancel"));
        QVERIFY(document().isOpen());
        actions().undo->trigger();
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(!asksBefore(*actions().close, "Cancel"));
        QVERIFY(!document().isOpen());
    }

    void aRunIsUnsavedWithoutAProjectToo()
    {
        openSample();
        actions().pass("unflatten")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        settle();
        QVERIFY(m_window->isWindowModified());
        QVERIFY(asksBefore(*actions().quit, "Cancel"));
        QVERIFY(m_window->isVisible());
        QVERIFY(asksBefore(*actions().close, "Discard"));
        QVERIFY(!document().isOpen());
    }

    void openingAnotherModelAsksAboutDevices()
    {
        openModel();
        addDevice();
        const SnapshotPtr before = document().snapshot();
        bool wasAsked = false;
        answer("Cancel", wasAsked);
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        settle();
        QVERIFY(wasAsked);
        QVERIFY(document().isOf(before));
    }

    void aProjectHasDevicesAndRuns()
    {
        openSample();
        addDevice();
        actions().pass("unflatten")->trigger();
        QTRY_COMPARE(document().runs().list().size(), 1U);
        QVERIFY(workflow().saveProject(project().state(), m_folder.filePath("sample.sunder")));
        QVERIFY(!m_window->isWindowModified());
        addDevice();
        QVERIFY(m_window->isWindowModified());
        actions().undo->trigger();
        QVERIFY(!m_window->isWindowModified());
    }

private:
    void addDevice() { QTest::mouseClick(widget<DevicesPanel>().findChild<QToolButton*>("addDevice"), Qt::LeftButton); }

    /// Answers the next question; sets `wasAsked` if it appears.
    void answer(const QString& verb, bool& wasAsked)
    {
        QTimer::singleShot(0, m_window.get(), [this, verb, &wasAsked] {
            auto* box = m_window->findChild<MessageDialog*>();
            wasAsked = box != nullptr;
            if (wasAsked)
                box->button(verb)->click();
        });
    }

    bool asksBefore(QAction& command, const QString& verb)
    {
        bool wasAsked = false;
        answer(verb, wasAsked);
        command.trigger();
        QCoreApplication::processEvents();
        return wasAsked;
    }
};

const test::Registered<WindowUnsavedTest> windowUnsavedTest("window_unsaved_test");
#include "window_unsaved_test.moc"
