#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::shareMemory;
using sunder::test::stepOf;
using sunder::test::TracedProgram;
using sunder::test::valuesAt;

/// Calls of operators, functions, and methods in a trace.
class OperatorCallsTest final : public QObject {
    Q_OBJECT
private slots:
    void givesTheArgumentThatIsWrittenInPlace()
    {
        TracedProgram traced("x = input; y = aten.add_.Tensor(x, 1); return y");
        Trace trace = traced.trace();
        const ValueId x = trace.roots.front();
        const Step step = stepOf(traced, trace, "y");
        QCOMPARE(valuesAt(trace, step.written), std::vector{x});
        QCOMPARE(step.result, x);
        QCOMPARE(trace.output, x);
        QVERIFY(trace.regions.isWritten(trace.values[x.index()].region));
    }

    void readsWhatIsViewedByWhereItLies()
    {
        TracedProgram traced("x = input; v = aten.t.default(x); s = aten.sin.default(v); w = aten.add_.Tensor(x, 1); return s");
        Trace trace = traced.trace();
        const Step view = stepOf(traced, trace, "v");
        QCOMPARE(view.reading, Reading::firstByLocation);
        QVERIFY(view.logicalView);
        QVERIFY(shareMemory(trace, view.result, trace.roots.front()));
        const Step sine = stepOf(traced, trace, "s");
        QCOMPARE(sine.reading, Reading::contents);
        QVERIFY(!shareMemory(trace, sine.result, view.result));
    }

    void writesNoStepForWhatHandsOnItsArgument()
    {
        TracedProgram traced("x = input; y = aten.dropout.default(x, 0.5, False); return y");
        const Trace trace = traced.trace();
        QVERIFY(trace.steps.empty());
        QCOMPARE(trace.output, trace.roots.front());
    }

    void assumesAllOfWhatNobodyKnows()
    {
        TracedProgram traced("x = input; y = torch.ops.lib.op.default(x); z = torch.ops.lib.op.default(y); return z");
        Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QVERIFY(step.opaque && step.wholeState && step.random && (step.readsLayout != LayoutReading::nothing));
        QCOMPARE(step.role, CallRole::effect);
        QCOMPARE(valuesAt(trace, step.written), std::vector{trace.roots.front()});
        QVERIFY(shareMemory(trace, step.result, trace.roots.front()));
        QCOMPARE(trace.unknownOperators, std::vector<std::string>{"torch.ops.lib.op.default"});
        QCOMPARE(
            trace.notes,
            std::vector<std::string>{"torch.ops.lib.op.default is unknown: it is assumed to write to and return any tensor that "
                                     "it can reach, to draw random numbers, and to have side effects"});
    }

    void takesWhatNobodyKnowsForAFunctionWhereItIsTrusted()
    {
        TracedProgram traced("x = input; y = torch.ops.lib.op.default(x); return y");
        traced.context.assume.pureCalls = true;
        const Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QVERIFY(!step.opaque && !step.wholeState && !step.random);
        QCOMPARE(step.role, CallRole::function);
        QVERIFY(valuesAt(trace, step.written).empty());
    }

    void takesSizesOfInputsForTheirSymbols()
    {
        Program program = test::ProgramText::program(
            "x = input [2, 4]; n = aten.sym_size.int(x, 0); m = aten.sym_size.int(x, 1); return (n, m)");
        TensorMeta meta = program.rootGraph().node(program.rootGraph().find(intern("x"))).meta.val->asTensor();
        meta.shape.front() = Argument::symbolic({.expression = intern("s0")});
        program.rootGraph().meta(program.rootGraph().find(intern("x"))).val = Argument::tensor(meta);
        TracedProgram traced(std::move(program));
        const Trace trace = traced.trace();
        QVERIFY(stepsOf(traced, trace, "n").empty());
        const ValueId n = trace.items(trace.values[trace.output.index()])[0];
        QCOMPARE(trace.values[n.index()].term, traced.mapping.sizeOf(0, 0));
        const Step other = stepOf(traced, trace, "m");
        QCOMPARE(other.role, CallRole::query);
        QCOMPARE(other.reading, Reading::locations);
    }

    void asksForAttributesThatAreNoData()
    {
        TracedProgram traced("x = input; s = getattr(x, \"dtype\"); d = getattr(x, \"data\"); return (s, d)");
        const Trace trace = traced.trace();
        QCOMPARE(stepOf(traced, trace, "s").role, CallRole::query);
        QCOMPARE(stepOf(traced, trace, "s").reading, Reading::locations);
        QCOMPARE(stepOf(traced, trace, "d").role, CallRole::function);
        QCOMPARE(stepOf(traced, trace, "d").reading, Reading::contents);
    }

    void tellsItemsThatAreViewsFromThoseThatAreGathered()
    {
        TracedProgram traced("x = input [4]; i = input [2] int64; a = _operator.getitem(x, 0); b = _operator.getitem(x, i); "
                             "w = aten.add_.Tensor(x, 1); return (a, b)");
        Trace trace = traced.trace();
        const Step view = stepOf(traced, trace, "a");
        QCOMPARE(view.reading, Reading::firstByLocation);
        QVERIFY(view.failsByForm);
        QVERIFY(shareMemory(trace, view.result, trace.roots.front()));
        const Step gathered = stepOf(traced, trace, "b");
        QCOMPARE(gathered.reading, Reading::contents);
        QVERIFY(!gathered.failsByForm);
        QVERIFY(!shareMemory(trace, gathered.result, trace.roots.front()));
    }

    void givesUpOnUnknownChangesOfLists()
    {
        TracedProgram traced("x = input; l = list([x]); y = method.sort(l); return l");
        const Trace trace = traced.trace();
        QCOMPARE(test::undecidedWhy(trace), "it modifies a list, tuple, or dict in place");
        QVERIFY(trace.undecided->first.node == traced.id("y"));
    }
};

const test::Registered<OperatorCallsTest> operatorCallsTest("operator_calls_test");
#include "operator_calls_test.moc"
