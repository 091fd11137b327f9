#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;
using sunder::test::undecidedWhy;
using sunder::test::valuesAt;

namespace {

/// Makes node "y" with_effects(t, OPERATOR, x). `values` is the number of items of its `val` including the token; 0 means no
/// `val`.
Program withEffectsOf(const char* called, int values, const std::string& more = "")
{
    Program program = test::ProgramText::program("t = input; x = input; y = torch.ops.higher_order.with_effects(t, None, x); "
                                                 + more + "return y");
    Graph& graph = program.rootGraph();
    const NodeId node = graph.find(intern("y"));
    Arguments arguments(graph.node(node).args.begin(), graph.node(node).args.end());
    arguments[1] = Argument::word(ArgumentKind::function, intern(called));
    graph.setArguments(node, std::move(arguments), {});
    if (values > 0)
        graph.meta(node).val = Argument::tuple(Arguments(static_cast<std::size_t>(values)));
    return program;
}

std::vector<ValueId> outputItems(const Trace& trace)
{
    const std::span<const ValueId> items = trace.items(trace.values[trace.output.index()]);
    return {items.begin(), items.end()};
}

} // namespace

/// Operators called through with_effects.
class EffectCallsTest final : public QObject {
    Q_OBJECT
private slots:
    void givesTheTokenAndTheResult()
    {
        TracedProgram traced(withEffectsOf("torch.ops.aten.sin.default", 0));
        const Trace trace = traced.trace();
        const std::vector<Step> steps = stepsOf(traced, trace, "y");
        QCOMPARE(steps.size(), std::size_t(1));
        QCOMPARE(steps[0].role, CallRole::effect);
        QVERIFY(traced.terms.textOf(steps[0].target) == intern("torch.ops.aten.sin.default"));
        QCOMPARE(valuesAt(trace, steps[0].arguments), std::vector{trace.roots[1]});
        QCOMPARE(outputItems(trace), (std::vector{trace.roots[0], steps[0].result}));
    }

    void takesSeveralResultsApart()
    {
        TracedProgram traced(withEffectsOf("torch.ops.aten.sin.default", 3));
        const Trace trace = traced.trace();
        const std::vector<Step> steps = stepsOf(traced, trace, "y");
        QCOMPARE(steps.size(), std::size_t(3));
        QCOMPARE(steps[1].role, CallRole::getItem);
        QCOMPARE(steps[1].reading, Reading::firstByLocation);
        QCOMPARE(trace.at(steps[1].arguments)[0], steps[0].result);
        QCOMPARE(outputItems(trace), (std::vector{trace.roots[0], steps[1].result, steps[2].result}));
    }

    void givesTheTokenAloneWhereThereIsNoResult()
    {
        TracedProgram traced(withEffectsOf("torch.ops.aten.sin.default", 1));
        const Trace trace = traced.trace();
        QCOMPARE(outputItems(trace), std::vector{trace.roots[0]});
    }

    void takesOtherCallsOfTheOperatorForEffectsToo()
    {
        TracedProgram traced(
            withEffectsOf("torch.ops.aten.sin.default", 0, "z = aten.sin.default(x); c = aten.cos.default(x); "));
        const Trace trace = traced.trace();
        QCOMPARE(stepOf(traced, trace, "z").role, CallRole::effect);
        QCOMPARE(stepOf(traced, trace, "c").role, CallRole::function);
    }

    void assumesAllOfWhatNobodyKnows()
    {
        TracedProgram traced(withEffectsOf("torch.ops.lib.op.default", 0));
        const Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QVERIFY(step.opaque && step.wholeState && step.random);
        QCOMPARE(valuesAt(trace, step.written), std::vector{trace.roots[1]});
        QCOMPARE(trace.unknownOperators, std::vector<std::string>{"torch.ops.lib.op.default"});
    }

    void givesUpWhereItIsNotKnownWhatIsCalled()
    {
        TracedProgram traced("t = input; x = input; y = torch.ops.higher_order.with_effects(t, x); return y");
        QCOMPARE(undecidedWhy(traced.trace()), "the called operator is unknown");
    }
};

const test::Registered<EffectCallsTest> effectCallsTest("effect_calls_test");
#include "effect_calls_test.moc"
