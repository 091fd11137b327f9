#include "app/workspace.h"
#include "panels/search_field.h"
#include "test_case.h"
#include "window_fixture.h"

using namespace sunder;

/// A closed model is freed completely, after any use.
class WindowCloseTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void nobodyHoldsAModelThatWasClosed_data()
    {
        QTest::addColumn<bool>("another");
        QTest::newRow("closed") << false;
        QTest::newRow("another one is opened") << true;
    }
    void nobodyHoldsAModelThatWasClosed()
    {
        QFETCH(bool, another);
        openSample();
        const std::vector<std::weak_ptr<const void>> held = workWithIt();
        QVERIFY(held.size() >= 6);
        forgetChanges();
        if (another)
            openModel();
        else
            actions().close->trigger();
        for (std::size_t i = 0; i < held.size(); ++i)
            QTRY_VERIFY2(held[i].expired(), qPrintable(QStringLiteral("%1 is held").arg(i)));
    }

private:
    /// Objects that must be freed afterward: the source, its pictures, and every run.
    std::vector<std::weak_ptr<const void>> workWithIt()
    {
        document().devices().set({{.name = "a", .availableBytes = 500e3, .logicalId = 0},
                                  {.name = "b", .availableBytes = 500e3, .logicalId = 1},
                                  {.name = "c", .availableBytes = 500e3, .logicalId = 2}},
                                 "devices");
        workflow().run("split");
        waitForRuns(1);
        workflow().partition({.config = {.devices = document().devices().list()}});
        waitForRuns(2);
        workflow().run("unflatten");
        waitForRuns(3);
        workflow().run("deduplicate");
        waitForRuns(4);
        workspace().compare(1, 2);
        widget<SearchField>().setText("op:linear");
        document().marks().select(document().graph().order());
        document().marks().setHovered({document().graph().order()[3]});
        document().painting().paint(std::array{document().graph().order()[5]}, 0);
        openExport("picture");
        settle();
        std::vector<std::weak_ptr<const void>> held{document().snapshot(), sourcePane().canvas().picture()};
        for (const Run& run : document().runs().list())
            held.emplace_back(run.result);
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            dialog->close();
        document().runs().discard(1); // held by the undo command
        return held;
    }

    void waitForRuns(std::size_t count) { QTRY_VERIFY(document().runs().list().size() == count); }
};

const test::Registered<WindowCloseTest> windowCloseTest("window_close_test");
#include "window_close_test.moc"
