#include "verify/step_writer.h"

#include "test_case.h"
#include "traced_program.h"
#include "verify/traced_call.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;
using sunder::test::valuesAt;

namespace {

std::vector<ValueId> writtenBy(const TracedProgram& traced, const CallFacts& does, const TracedCall& call)
{
    std::vector<ValueId> written;
    traced.steps.collectWrites(does, call, written);
    return written;
}

/// Whether the call of node "y", with these arguments, changes a list in place.
bool changesList(TracedProgram& traced, const TracedCall& call)
{
    const OperatorFacts& facts = traced.facts("y");
    return traced.steps.changesContainer(traced.node("y"), facts,
                                         callFacts(facts, BoundArguments(traced.draft.trace, traced.terms, call)), call);
}

} // namespace

/// Adding steps to a trace, and their writes according to the operator table and to the file.
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

    void namesEachValueOnceInTheOrderOfTheArguments()
    {
        TracedProgram traced("x = input; return x");
        const ValueId a = traced.leaf();
        const ValueId b = traced.leaf();
        const TracedCall call{{traced.list({b, a, b}), a}, {{intern("out"), traced.leaf()}}};
        QCOMPARE(writtenBy(traced, {.written = {0, 1}}, call), (std::vector{b, a}));
        QCOMPARE(writtenBy(traced, {.written = {2}}, call), std::vector{call.keywords[0].second});
        QVERIFY(writtenBy(traced, {}, call).empty());
    }

    void putsManyValuesInTheOrderInWhichTheyWereMade()
    {
        TracedProgram traced("x = input; return x");
        TracedCall call;
        CallFacts does;
        std::vector<ValueId> made;
        for (std::uint32_t i = 0; i < 65; ++i) {
            made.push_back(traced.leaf());
            call.positional.insert(call.positional.begin(), made.back());
            does.written.push_back(i);
        }
        QCOMPARE(writtenBy(traced, does, call), made);
    }

    void takesTheNodesThatTheFileSaysAreWritten()
    {
        TracedProgram traced("x = input; z = input; y = lib.op(x, 1, [z]); return y");
        TraceFrame frame = traced.frame();
        const ValueId x = frame.values[traced.id("x").index()] = traced.leaf();
        const ValueId z = frame.values[traced.id("z").index()] = traced.leaf();
        const TracedCall call{{x, traced.number(1), traced.list({z})}, {}};
        const auto marked = [&](std::vector<std::int32_t> positions) {
            traced.meta("y").mutated = std::move(positions);
            std::vector<ValueId> found;
            traced.steps.collectMarked(frame, traced.node("y"), call, found);
            return found;
        };
        QCOMPARE(marked({1}), std::vector{z}); // the second node among the arguments
        QCOMPARE(marked({0, 0}), std::vector{x});
        QCOMPARE(marked({2}), (std::vector{x, z})); // there is none, so it may be any
        QCOMPARE(marked({-1}), (std::vector{x, z}));
    }

    void marksNothingWhereTheFileSaysNothing()
    {
        TracedProgram traced("x = input; y = lib.op(x); return y");
        TraceFrame frame = traced.frame();
        frame.values[traced.id("x").index()] = traced.leaf();
        std::vector<ValueId> found;
        traced.steps.collectMarked(frame, traced.node("y"), {{frame.values[traced.id("x").index()]}, {}}, found);
        QVERIFY(found.empty());
    }

    void tellsListsThatChangeFromTensorsInThem_data()
    {
        QTest::addColumn<QString>("call");
        QTest::addColumn<bool>("changes");
        QTest::newRow("append") << "method.append(l, x)" << true;
        QTest::newRow("tensors in a list") << "torch._foreach_add_(l, 1)" << false;
        QTest::newRow("an operator on tensors in a list") << "aten._foreach_add_.Scalar(l, 1)" << false;
        QTest::newRow("an unknown operator, with a list of another node") << "lib.op(l, x)" << true;
        QTest::newRow("an unknown operator, with a list in its arguments") << "lib.op([x], x)" << false;
    }
    void tellsListsThatChangeFromTensorsInThem()
    {
        QFETCH(const QString, call);
        TracedProgram traced("x = input; l = list([x]); y = " + call.toStdString() + "; return y");
        const ValueId x = traced.leaf();
        QTEST(changesList(traced, {{traced.list({x}), x}, {}}), "changes");
    }
};

const test::Registered<StepWriterTest> stepWriterTest("step_writer_test");
#include "step_writer_test.moc"
