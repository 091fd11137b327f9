#include "ir/lint.h"
#include "split_module_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// FrameScheduler "enter(…)" and "leave(…)" into entering and leaving autocast, and "grad(0|1)" into setting the grad mode.
Program withStates(const char* text)
{
    Program program = test::programFromText(text);
    Graph& graph = program.rootGraph();
    for (const NodeId id : graph.order()) {
        const std::string_view target = graph[id].target.view();
        if (target == "torch.ops.test.enter")
            graph.setTarget(id, intern("torch.amp.autocast_mode._enter_autocast"), {});
        if (target == "torch.ops.test.leave")
            graph.setTarget(id, intern("torch.amp.autocast_mode._exit_autocast"), {});
        if (target == "torch.ops.test.grad") {
            graph.setTarget(id, intern("torch._C._set_grad_enabled"), {});
            graph.setArguments(id, {Argument::boolean(graph[id].args[0].asInteger() != 0)}, {});
        }
    }
    return program;
}

} // namespace

/// Autocast and grad mode regions that a split divides.
class SplitModuleStateTest final : public QObject {
    Q_OBJECT
private slots:
    void entersAutocastAgainInEveryPartitionOfItsRegion()
    {
        const Program source = withStates(R"(
            x = placeholder()
            on = enter(1)
            a = mm(x)
            b = mm(a)
            off = leave(on)
            out = output(b))");
        const Result<SplitResult> result = split(source, "0: on a; 1: b off");
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QCOMPARE(lines(result->program.graph(result->parts[0])).at(3),
                 QString("_exit_autocast = call_function[torch.amp.autocast_mode._exit_autocast](_enter_autocast)"));
        QCOMPARE(lines(result->program.graph(result->parts[1])).at(0),
                 QString("_enter_autocast = call_function[torch.amp.autocast_mode._enter_autocast]()"));
        QCOMPARE(verifyResult(source, result->program)->verdict, Verdict::same);
        QVERIFY(lint(result->program).empty());
    }

    void setsGradModeAgainInLaterPartitions()
    {
        const Program source = withStates(R"(
            x = placeholder()
            off = grad(0)
            a = mm(x)
            b = mm(a)
            on = grad(1)
            out = output(b))");
        const Result<SplitResult> result = split(source, "0: off a; 1: b on");
        QVERIFY(result.has_value());
        QCOMPARE(lines(result->program.graph(result->parts[1])).at(0),
                 QString("_set_grad_enabled = call_function[torch._C._set_grad_enabled]()"));
        QCOMPARE(verifyResult(source, result->program)->verdict, Verdict::same);
    }

    void refusesRegionsThatCannotBeReplayed_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("partitions");
        QTest::addColumn<QString>("says");
        const QString region = "x = placeholder()\n on = enter(1)\n a = mm(x)\n off = leave(on)\n b = mm(a)\n out = output(b)";
        QTest::newRow("numbers that go down") << region << "3: on a off; 2: b" << "partition numbers must not decrease";
        QTest::newRow("names instead of numbers") << region << "p: on a off; q: b" << "needs numbered partitions";
        QTest::newRow("a number below -1") << region << "-2: on a off; 3: b" << "start below -1";
        QTest::newRow("never left") << "x = placeholder()\n on = enter(1)\n out = output(x)" << "0: on" << "but nothing exits it";
        QTest::newRow("left twice") << "x = placeholder()\n on = enter(1)\n a = leave(on)\n b = leave(on)\n out = output(x)"
                                    << "0: on a b" << "not active";
        QTest::newRow("entered by a computed value") << "x = placeholder()\n on = enter(x)\n a = leave(on)\n out = output(x)"
                                                     << "0: on a" << "computed value x";
    }
    void refusesRegionsThatCannotBeReplayed()
    {
        QFETCH(QString, program);
        QFETCH(QString, partitions);
        QFETCH(QString, says);
        const Result<SplitResult> result = split(withStates(program.toStdString().c_str()), partitions);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::refused);
        QVERIFY2(result.error().message.find(says.toStdString()) != std::string::npos, result.error().message.c_str());
    }
};

const test::Registered<SplitModuleStateTest> splitModuleStateTest("split_module_state_test");
#include "split_module_state_test.moc"
