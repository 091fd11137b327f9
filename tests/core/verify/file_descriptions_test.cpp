#include "verify/file_descriptions.h"

#include "test_case.h"
#include "traced_program.h"
#include "verify/traced_call.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;

namespace {

/// A call of the root graph whose inputs are leaves with the file's descriptions.
TraceFrame frameWithInputs(TracedProgram& traced)
{
    TraceFrame frame = traced.frame();
    for (const NodeId id : traced.program.rootGraph().nodes()) {
        const Node& node = traced.program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        frame.values[id.index()] = traced.leaf();
        traced.descriptions.checkDescription(frame, node, frame.values[id.index()]);
    }
    return frame;
}

ValueId valueOf(const TracedProgram& traced, const TraceFrame& frame, const char* name)
{
    return frame.values[traced.id(name).index()];
}

/// The copy description of the call at node "c".
Step describedCopy(std::string_view text)
{
    TracedProgram traced(text);
    TraceFrame frame = frameWithInputs(traced);
    Step step;
    TracedAttributes attributes{traced.draft};
    TracedArguments arguments{traced.draft, traced.containers, attributes, traced.spelling};
    const TracedCall call = arguments.ofFunction(frame, traced.node("c"), traced.facts("c"));
    traced.descriptions.describeCopies(frame, traced.node("c"), traced.facts("c"), call, step);
    return step;
}

} // namespace

/// Value descriptions from the file, and whether they apply to the current call of a graph.
class FileDescriptionsTest final : public QObject {
    Q_OBJECT
private slots:
    void knowsCopiesThatFillATensor()
    {
        const Step same = describedCopy("x = input [4]; y = input [4]; c = aten.copy_.default(x, y); return c");
        QVERIFY(same.overwrites && same.described);
        QVERIFY(same.otherStrides); // inputs may have any strides
        const Step strided = describedCopy("x = input [2, 2]; y = input [2, 2] [1, 2]; c = aten.copy_.default(x, y); return c");
        QVERIFY(strided.overwrites && strided.otherStrides);
        QVERIFY(!describedCopy("x = input [4]; y = input [1]; c = aten.copy_.default(x, y); return c").overwrites);
        QVERIFY(!describedCopy("x = input [4] [0]; y = input [4]; c = aten.copy_.default(x, y); return c").overwrites);
        QVERIFY(!describedCopy("x = input; y = input [4]; c = aten.copy_.default(x, y); return c").overwrites);
    }

    void knowsClonesAndFunctionalCopies()
    {
        QVERIFY(describedCopy("x = input [4]; c = aten.clone.default(x); return c").clones);
        QVERIFY(!describedCopy("x = input; c = aten.clone.default(x); return c").clones);
        QVERIFY(!describedCopy("x = input [4]; c = aten.clone.default(x, memory_format=1); return c").clones);
        const Step copy = describedCopy("x = input [2, 2]; y = input [2, 2]; c = aten.copy.default(x, y); return c");
        QVERIFY(!copy.firstLayout.isValid() && !copy.overwrites); // x may have any strides
    }

    void saysNothingOfAGraphThatIsGivenSomethingElse()
    {
        TracedProgram traced("x = input [4]; y = input [2]; return x");
        const TraceFrame outer = frameWithInputs(traced);
        for (const char* name : {"x", "y"}) {
            TraceFrame inner = traced.frame();
            inner.depth = 1;
            traced.descriptions.checkDescription(inner, traced.node("x"), valueOf(traced, outer, name));
            QCOMPARE(inner.described, std::string_view(name) == "x");
        }
    }

    void waitsForThePartsOfAnArgumentThatIsNotDescribed()
    {
        TracedProgram traced("x = input [4]; l = input; g = _operator.getitem(l, 0) : [4]; return g");
        const TraceFrame outer = frameWithInputs(traced);
        const ValueId x = valueOf(traced, outer, "x");
        TraceFrame inner = traced.frame();
        inner.depth = 1;
        traced.descriptions.checkDescription(inner, traced.node("l"), traced.list({x}));
        QVERIFY(inner.described);
        QVERIFY(inner.undescribed.contains(x));
        traced.descriptions.checkDescription(inner, traced.node("g"), x);
        QVERIFY(inner.described);
        QVERIFY(inner.undescribed.empty());
    }

    void saysNothingOnceSomethingIsComputedOfWhatIsNotDescribed()
    {
        TracedProgram traced("x = input [4]; return x");
        TraceFrame frame = frameWithInputs(traced);
        const ValueId other = traced.leaf();
        frame.undescribed.insert(other);
        traced.descriptions.checkArguments(frame, {{valueOf(traced, frame, "x")}, {}});
        QVERIFY(frame.described);
        traced.descriptions.checkArguments(frame, {{traced.list({other})}, {}});
        QVERIFY(!frame.described);
    }

    void knowsWhatAConversionGives_data()
    {
        QTest::addColumn<QString>("convert");
        QTest::addColumn<bool>("isSettled");
        QTest::addColumn<ResultMemory>("memory");
        QTest::newRow("itself") << "aten.to.dtype(x, float32) : [4]" << true << ResultMemory::is;
        QTest::newRow("a copy") << "aten.to.dtype(x, float64) : [4] float64" << true << ResultMemory::fresh;
        QTest::newRow("not described") << "aten.to.dtype(x, float32)" << false << ResultMemory::maybe;
    }
    void knowsWhatAConversionGives()
    {
        QFETCH(const QString, convert);
        QFETCH(const bool, isSettled);
        TracedProgram traced("x = input [4]; y = " + convert.toStdString() + "; return y");
        TraceFrame frame = frameWithInputs(traced);
        const TracedCall call{{valueOf(traced, frame, "x"), traced.constant(traced.node("y").args[1])}, {}};
        CallFacts does = callFacts(traced.facts("y"), BoundArguments(traced.draft.trace, traced.terms, call));
        traced.descriptions.settle(frame, traced.node("y"), call, does);
        QTEST(does.result, "memory");
        QCOMPARE(!does.converts, isSettled);
        QCOMPARE(traced.draft.trace.usesRecordedDtypes, isSettled);
    }

    void knowsWhetherAResultFitsWhereItIsWritten_data()
    {
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("result");
        QTest::addColumn<bool>("mayResize");
        QTest::newRow("it fits") << "[4]" << ": [4]" << false;
        QTest::newRow("it is larger") << "[2]" << ": [4]" << true;
        QTest::newRow("the result is not described") << "[4]" << "" << true;
        QTest::newRow("the tensor is not described") << "" << ": [4]" << true;
    }
    void knowsWhetherAResultFitsWhereItIsWritten()
    {
        QFETCH(const QString, out);
        QFETCH(const QString, result);
        TracedProgram traced("x = input [4]; o = input " + out.toStdString() + "; y = aten.add.out(x, x, out=o) "
                             + result.toStdString() + "; return y");
        const TraceFrame frame = frameWithInputs(traced);
        const ValueId x = valueOf(traced, frame, "x");
        const TracedCall call{{x, x}, {{intern("out"), valueOf(traced, frame, "o")}}};
        const CallFacts does = callFacts(traced.facts("y"), BoundArguments(traced.draft.trace, traced.terms, call));
        QCOMPARE(does.resized, std::vector<std::uint32_t>{2});
        QTEST(traced.descriptions.mayResize(frame, traced.node("y"), does, call), "mayResize");
    }

    void knowsOfAParameterWhatIsKnownOfItsArgument()
    {
        TracedProgram traced("x = input [4]; y = aten.add.out(x, x, out=x) : [4]; return y");
        const TraceFrame frame = frameWithInputs(traced);
        const ValueId parameter = traced.leaf();
        const TracedCall call{{parameter, parameter}, {{intern("out"), parameter}}};
        const CallFacts does = callFacts(traced.facts("y"), BoundArguments(traced.draft.trace, traced.terms, call));
        QVERIFY(traced.descriptions.mayResize(frame, traced.node("y"), does, call));
        traced.descriptions.copyDescription(valueOf(traced, frame, "x"), parameter);
        QVERIFY(!traced.descriptions.mayResize(frame, traced.node("y"), does, call));
    }
};

const test::Registered<FileDescriptionsTest> fileDescriptionsTest("file_descriptions_test");
#include "file_descriptions_test.moc"
