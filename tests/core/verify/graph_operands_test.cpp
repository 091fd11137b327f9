#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::shareMemory;
using sunder::test::stepOf;
using sunder::test::TracedProgram;
using sunder::test::undecidedWhy;
using sunder::test::valuesAt;

namespace {

const std::string kSineGraph = "graph body; a = input; s = aten.sin.default(a); return s; end; x = input; f = attr body; ";
const std::string kTwoGraphs = "graph yes; a = input; s = aten.sin.default(a); return s; end; "
                               "graph no; a = input; return a; end; "
                               "p = input; x = input; f = attr yes; g = attr no; ";

} // namespace

/// Calls with graphs as arguments: those that run one in place, and closures.
class GraphOperandsTest final : public QObject {
    Q_OBJECT
private slots:
    void writesAGraphOutWhereItIsCalled_data()
    {
        QTest::addColumn<QString>("call");
        QTest::newRow("by name") << "torch.ops.higher_order.invoke_subgraph(f, \"body\", x)";
        QTest::newRow("with packed operands") << "torch.ops.higher_order.strict_mode(f, (x,))";
        QTest::newRow("wrapped") << "torch.ops.higher_order.wrap(f, x)";
    }
    void writesAGraphOutWhereItIsCalled()
    {
        QFETCH(const QString, call);
        TracedProgram traced(kSineGraph + "y = " + call.toStdString() + "; return y");
        const Trace trace = traced.trace();
        QCOMPARE(undecidedWhy(trace), "");
        QCOMPARE(trace.steps.size(), std::size_t(1));
        QVERIFY(trace.steps[0].node.graph != traced.program.root);
        QCOMPARE(valuesAt(trace, trace.steps[0].arguments), std::vector{trace.roots.front()});
        QCOMPARE(trace.output, trace.steps[0].result);
    }

    void runsAGraphInAModeOfItsOwn()
    {
        TracedProgram traced(kSineGraph + "y = torch.ops.higher_order.wrap_with_set_grad_enabled(False, f, x); return y");
        const Trace trace = traced.trace();
        QCOMPARE(trace.steps.size(), std::size_t(1));
        QVERIFY(trace.steps[0].gradientState != TermTable::nothing());
        QCOMPARE(trace.finalGradientState, TermTable::nothing());
        TracedProgram cast(kSineGraph
                           + "y = torch.ops.higher_order.wrap_with_autocast(\"cpu\", float16, True, None, f, x); return y");
        const Trace castTrace = cast.trace();
        QCOMPARE(castTrace.steps.size(), std::size_t(1));
        QVERIFY(castTrace.steps[0].state != TermTable::nothing());
        QCOMPARE(castTrace.finalState, TermTable::nothing());
    }

    void givesUpOnGraphsThatItCannotFollow_data()
    {
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("why");
        QTest::newRow("no graph") << "torch.ops.higher_order.wrap(x, x)" << "the called graph is unknown";
        QTest::newRow("no graph in a mode") << "torch.ops.higher_order.wrap_with_set_grad_enabled(False, x)"
                                            << "the called graph is unknown";
        QTest::newRow("a mode that is computed") << "torch.ops.higher_order.wrap_with_set_grad_enabled(x, f, x)"
                                                 << "it enters a region whose settings are not constant";
        QTest::newRow("too many operands") << "torch.ops.higher_order.wrap(f, x, x)"
                                           << "the arguments do not match the called graph";
    }
    void givesUpOnGraphsThatItCannotFollow()
    {
        QFETCH(const QString, call);
        TracedProgram traced(kSineGraph + "y = " + call.toStdString() + "; return y");
        QTEST(undecidedWhy(traced.trace()), "why");
    }

    void putsTheBodiesOfAConditionBehindIt()
    {
        TracedProgram traced(kTwoGraphs + "y = torch.ops.higher_order.cond(p, f, g, (x,)); w = aten.add_.Tensor(x, 1); return y");
        Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QCOMPARE(step.role, CallRole::closures);
        QCOMPARE(step.bodies.count, 2U);
        const Body yes = trace.bodies[step.bodies.first];
        const Body no = trace.bodies[step.bodies.first + 1];
        QCOMPARE(yes.endStep - yes.firstStep, 1U);
        QCOMPARE(no.endStep - no.firstStep, 0U);
        QCOMPARE(trace.at(no.parameters)[0], no.output);
        QVERIFY(shareMemory(trace, step.result, trace.roots[1])); // one of the graphs returns its argument
        QVERIFY(shareMemory(trace, yes.output, step.result));
        QVERIFY(!shareMemory(trace, step.result, trace.roots[0])); // the condition
    }

    void putsBodiesOfOneStepTogether()
    {
        TracedProgram traced(
            "graph test; a = input; b = aten.gt.Scalar(a, 1); return b; end; "
            "graph inner; a = input; s = aten.sin.default(a); return (s,); end; "
            "graph outer; a = input; t = attr test; f = attr inner; "
            "c = torch.ops.higher_order.while_loop(t, f, (a,), ()); g = _operator.getitem(c, 0); return (g,); end; "
            "x = input; t = attr test; f = attr outer; y = torch.ops.higher_order.while_loop(t, f, (x,), ()); return y");
        const Trace trace = traced.trace();
        QCOMPARE(undecidedWhy(trace), "");
        QCOMPARE(trace.bodies.size(), std::size_t(4));
        const Step step = stepOf(traced, trace, "y");
        QCOMPARE(step.bodies.first, 2U);
        QCOMPARE(step.bodies.count, 2U);
        const Body outer = trace.bodies[3];
        QVERIFY(trace.bodies[1].firstStep > outer.firstStep && trace.bodies[1].endStep <= outer.endStep);
    }

    void givesUpOnAClosureThatLeavesAStateBehind()
    {
        TracedProgram traced("graph yes; a = input; o = torch.set_grad_enabled(False); return a; end; "
                             "graph no; a = input; return a; end; p = input; x = input; f = attr yes; g = attr no; "
                             "y = torch.ops.higher_order.cond(p, f, g, (x,)); return y");
        const Trace trace = traced.trace();
        QCOMPARE(undecidedWhy(trace), "its graph ends with a different global state than it starts with");
        QCOMPARE(trace.finalGradientState, TermTable::nothing());
    }
};

const test::Registered<GraphOperandsTest> graphOperandsTest("graph_operands_test");
#include "graph_operands_test.moc"
