#include "verify/step_writer.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;
using sunder::test::valuesAt;

/// Adding steps to a trace.
class StepWriterTest final : public QObject {
    Q_OBJECT
private slots:
    void writesPositionalArgumentsBeforeKeywords()
    {
        TracedProgram traced("x = input; y = lib.op(x); return y");
        TraceFrame frame = traced.frame();
        const ValueId a = traced.leaf();
        const ValueId b = traced.leaf();
        const ValueId result = traced.leaf();
        const TermId target = traced.draft.functionTarget(intern("lib.op"), Op::callFunction);
        const TracedCall call{{a}, {{intern("out"), b}}};
        const Step step = traced.draft.trace.steps[traced.steps.pushStep(frame, traced.id("y"), target, call, result)];
        QCOMPARE(valuesAt(traced.draft.trace, step.arguments), (std::vector{a, b}));
        const std::array keys{traced.terms.text(intern("out"))};
        QCOMPARE(step.keywords, traced.containers.shapeOf(ArgumentKind::dict, {}, keys));
        QCOMPARE(step.target, target);
        QCOMPARE(step.result, result);
        QVERIFY((step.node == NodeRef{traced.program.root, traced.id("y")}));
        QCOMPARE(traced.draft.work, std::uint64_t(2));
    }

    void writesTheStateThatIsSet()
    {
        TracedProgram traced("x = input; y = lib.op(x); return y");
        TraceFrame frame = traced.frame();
        traced.steps.emitEffect(frame, traced.id("y"), traced.terms.integer(1), {});
        traced.draft.state.set(intern("default dtype"), traced.terms.integer(1), false, traced.terms);
        traced.draft.state.set(intern("grad mode"), traced.terms.integer(1), true, traced.terms);
        traced.steps.emitEffect(frame, traced.id("y"), traced.terms.integer(1), {});
        const std::vector<Step>& steps = traced.draft.trace.steps;
        QCOMPARE(steps[0].role, CallRole::effect);
        QCOMPARE(steps[0].keywords, TermTable::nothing());
        QCOMPARE(steps[0].state, TermTable::nothing());
        QCOMPARE(steps[1].state, traced.draft.state.term());
        QCOMPARE(steps[1].gradientState, traced.draft.state.gradientTerm());
        QVERIFY(steps[1].state != steps[1].gradientState);
    }

    void tellsOnceWhatNobodyKnows()
    {
        TracedProgram traced("x = input; return x");
        for (int i = 0; i < 2; ++i) {
            traced.steps.noteUnknown(Op::callFunction, intern("torch.ops.lib.op.default"));
            traced.steps.noteUnknown(Op::callMethod, intern("frob"));
        }
        const std::string assumed = " is unknown: it is assumed to write to and return any tensor that it can reach, to draw "
                                    "random numbers, and to have side effects";
        QCOMPARE(traced.draft.trace.notes,
                 (std::vector<std::string>{"torch.ops.lib.op.default" + assumed, "method frob" + assumed}));
        QCOMPARE(traced.draft.trace.unknownOperators, std::vector<std::string>{"torch.ops.lib.op.default"});
    }
};

const test::Registered<StepWriterTest> stepWriterTest("step_writer_test");
#include "step_writer_test.moc"
