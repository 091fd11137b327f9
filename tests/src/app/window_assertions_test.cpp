#include "panes/flow_settings.h"
#include "test_case.h"
#include "window_fixture.h"

using namespace sunder;

/// Assertions are folded into the op that they check unless they are shown.
class WindowAssertionsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        Program program = test::programFromText("x = placeholder()\nfirst = relu(x)\nwatch = check(first)\nsecond = gelu(first)\n"
                                                "output(second)\n");
        program.rootGraph().setTarget(program.rootGraph().find(intern("watch")),
                                      intern("torch.ops.aten._assert_tensor_metadata.default"), {});
        QVERIFY(writeFxJson(program, m_model.toStdString()).has_value());
        showWindow();
        openModel();
    }
    void cleanup()
    {
        closeWindow();
        QSettings().clear();
    }

    void theyArePaintedWithWhatTheyLookAt()
    {
        QCOMPARE(itemOf("watch"), itemOf("first"));
        const auto& item = sourcePane().canvas().picture()->items[itemOf("first").index()];
        document().painting().paint(item.nodes, 1);
        QCOMPARE(document().tags()[node("watch")], 1);
        QCOMPARE(document().tags()[node("first")], 1);
    }

    void theyAreShownWhenAskedForAndInTheNextWindow()
    {
        actions().showAssertions->trigger();
        QTRY_VERIFY(itemOf("watch") != itemOf("first"));
        QVERIFY(areAssertionsWanted());
        closeWindow();
        showWindow();
        openModel();
        QVERIFY(actions().showAssertions->isChecked());
        QVERIFY(itemOf("watch") != itemOf("first"));
        actions().showAssertions->trigger();
        QTRY_COMPARE(itemOf("watch"), itemOf("first"));
    }

private:
    [[nodiscard]] ItemId itemOf(const char* name) const { return sourcePane().canvas().picture()->itemOf[node(name).index()]; }
};

const test::Registered<WindowAssertionsTest> windowAssertionsTest("window_assertions_test");
#include "window_assertions_test.moc"
