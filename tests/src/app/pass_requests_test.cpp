#include "app/pass_requests.h"

#include "command_fixture.h"
#include "dialogs/partition_dialog.h"
#include "dialogs/pass_options_dialog.h"
#include "test_case.h"

using namespace sunder;

/// Requests for passes, without the window.
class PassRequestsTest final : public test::CommandFixture {
    Q_OBJECT
private slots:
    void init()
    {
        prepare();
        m_passes = std::make_unique<PassRequests>(document(), m_parts->jobs, m_parts->workflow, actions(), m_parts->window);
    }
    void cleanup()
    {
        m_passes.reset();
        finish();
    }

    void runsAPassOfTheMenuWithItsSwitches()
    {
        openTagged();
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QVERIFY(m_parts->window.findChild<QDialog*>() == nullptr);
    }

    void keepsSwitchesForTheNextSession()
    {
        actions().passSwitches.front().action->setChecked(true);
        m_passes.reset();
        m_parts = std::make_unique<Parts>();
        QVERIFY(!actions().passSwitches.front().action->isChecked());
        m_passes = std::make_unique<PassRequests>(document(), m_parts->jobs, m_parts->workflow, actions(), m_parts->window);
        QVERIFY(actions().passSwitches.front().action->isChecked());
    }

    void leavesSwitchesAsARunWasMade()
    {
        openTagged();
        const PassSwitch& option = actions().passSwitches.front();
        m_passes->runWith(option.pass->id, {{option.option, true}});
        QVERIFY(option.action->isChecked());
        m_passes->runWith(option.pass->id, {{option.option, false}});
        QVERIFY(!option.action->isChecked());
    }

    void asksForOtherOptionsOfARun()
    {
        openTagged();
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        m_passes->runAgain(document().runs().allShown().front()->number);
        QVERIFY(m_parts->window.findChild<PassOptionsDialog*>() != nullptr);
        m_passes->runAgain(4711); // no options to ask for
    }

    void asksOnceForDevices()
    {
        actions().pass("partition")->trigger();
        QVERIFY(m_parts->window.findChild<PartitionDialog*>() == nullptr); // no form is open
        openTagged();
        actions().pass("partition")->trigger();
        actions().pass("partition")->trigger();
        QCOMPARE(m_parts->window.findChildren<PartitionDialog*>().size(), 1);
    }

private:
    void openTagged()
    {
        openModel(writeModel("chain.fxj"));
        document().painting().paint(std::array{node("first")}, 0);
        document().painting().paint(std::array{node("second")}, 1);
    }

    std::unique_ptr<PassRequests> m_passes;
};

const test::Registered<PassRequestsTest> passRequestsTest("pass_requests_test");
#include "pass_requests_test.moc"
