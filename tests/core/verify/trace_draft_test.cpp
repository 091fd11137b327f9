#include "verify/trace_draft.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;
using sunder::test::undecidedWhy;

namespace {

constexpr std::string_view kWritesToX = "x = input; y = aten.add_.Tensor(x, 1); return y";

} // namespace

/// A trace under construction.
class TraceDraftTest final : public QObject {
    Q_OBJECT
private slots:
    void keepsTheFirstReasonToGiveUp()
    {
        TracedProgram traced(kWritesToX);
        const ValueId first = traced.draft.unknown({traced.program.root, traced.id("y")}, "the first");
        const ValueId second = traced.draft.unknown({}, "the second");
        QCOMPARE(undecidedWhy(traced.draft.trace), "the first");
        QVERIFY(traced.draft.trace.undecided->first.node == traced.id("y"));
        QCOMPARE(traced.draft.termOf(traced.draft.at(first)).kind, TermKind::unmatched);
        QVERIFY(traced.draft.at(first).term != traced.draft.at(second).term); // equal to no value, not even to each other
    }

    void givesEachLeafMemoryOfItsOwnWhereMemoryIsFollowed()
    {
        TracedProgram writes(kWritesToX);
        const ValueId first = writes.leaf();
        QVERIFY(!test::shareMemory(writes.draft.trace, first, writes.leaf()));
        TracedProgram reads("x = input; return x");
        reads.leaf();
        QCOMPARE(reads.draft.trace.regions.size(), std::size_t(0));
    }

    void tellsFunctionsFromMethods()
    {
        TracedProgram traced(kWritesToX);
        const TermId function = traced.draft.functionTarget(intern("relu"), Op::callFunction);
        QCOMPARE(traced.draft.functionTarget(intern("relu"), Op::callFunction), function);
        QVERIFY(traced.draft.functionTarget(intern("relu"), Op::callMethod) != function);
        QVERIFY(traced.terms.textOf(function) == intern("relu"));
    }

    void collectsLeavesAsOftenAsTheyArePassed()
    {
        TracedProgram traced(kWritesToX);
        const ValueId a = traced.leaf();
        const ValueId b = traced.leaf();
        const TracedCall call{{a, traced.list({a, traced.number(1), b})}, {{intern("out"), b}}};
        std::vector<ValueId> leaves;
        traced.draft.collectAll(call, leaves);
        QCOMPARE(leaves, (std::vector{a, a, b, b}));
        leaves.clear();
        const std::array<std::uint32_t, 1> out{2};
        traced.draft.collectSlots(out, call, leaves);
        QCOMPARE(leaves, std::vector{b});
    }

    void looksOnceIntoAContainerThatIsHeldManyTimes()
    {
        TracedProgram traced(kWritesToX);
        ValueId nested = traced.list({traced.leaf()});
        for (int i = 0; i < 60; ++i) // 2^60 leaves if each occurrence were visited
            nested = traced.list({nested, nested});
        std::vector<ValueId> leaves;
        traced.draft.collectLeaves(nested, leaves);
        QCOMPARE(leaves.size(), std::size_t(2));
        QVERIFY(traced.draft.work < 200);
    }

    void knowsWhenAProgramIsTooLarge()
    {
        TracedProgram traced(kWritesToX);
        QVERIFY(!traced.draft.isTooLarge());
        traced.draft.work = traced.options.maxSteps + 1;
        QVERIFY(traced.draft.isTooLarge());
        traced.draft.work = 0;
        traced.draft.mostValues = 3;
        const std::array values{traced.number(1), traced.number(2)};
        QVERIFY(!traced.draft.isTooLarge());
        const Operands pooled = traced.draft.pool(values);
        QCOMPARE(pooled.count, 2U);
        QCOMPARE(traced.draft.trace.at(pooled)[1], values[1]);
        QVERIFY(traced.draft.isTooLarge()); // pooled operands count as well
    }
};

const test::Registered<TraceDraftTest> traceDraftTest("trace_draft_test");
#include "trace_draft_test.moc"
